import { importFieldNames, importFields, keyFields } from '#domain/catalog/csv-imports.ts'
import type { ImportDetails } from '#server/catalog/csv/get-import.ts'
import { useId } from 'react'
import { useNavigation } from 'react-router'
import { Button } from '../../../../ui/Button.tsx'
import { Clamped } from '../../../../ui/data-grid/Clamped.tsx'
import { PostForm } from '../../../../ui/PostForm.tsx'

type MappingFormProps = { file: Pick<ImportDetails, 'header' | 'preview' | 'mapping'> }

/** Maps each column of a file to a field, with the column's first values beside it. */
export function MappingForm({ file: { header, preview, mapping } }: MappingFormProps) {
  const id = useId()
  const isChecking = useNavigation().formData?.get('intent') === 'check'
  const fieldOfColumn = (index: number): string =>
    importFieldNames.find((field) => mapping.columns[field] === index) ?? ''
  const isGuessed = Object.keys(mapping.columns).length > 0
  const hasKey = keyFields.some((field) => mapping.columns[field] !== undefined)
  return (
    <PostForm>
      <p className="mb-2 max-w-2xl">
        {isGuessed
          ? 'We matched the columns by their names. Check that they’re right.'
          : 'We didn’t recognize any column names. Choose a field for each column.'}{' '}
        {hasKey ? '' : 'One column must identify the variant by ID, NDC, DIN, UPC or SKU.'}
      </p>
      <div className="data-grid mb-3">
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Field</th>
              <th scope="col">Sample values</th>
            </tr>
          </thead>
          <tbody>
            {header.map((name, index) => (
              <tr key={name}>
                <td id={`${id}-${index}`} className="font-semibold">
                  {name}
                </td>
                <td>
                  <select
                    name={`column-${index}`}
                    className="select w-44 min-w-44"
                    aria-labelledby={`${id}-${index}`}
                    defaultValue={fieldOfColumn(index)}
                  >
                    <option value="">Skip this column</option>
                    {importFieldNames.map((field) => (
                      <option key={field} value={field}>
                        {importFields[field]}
                      </option>
                    ))}
                  </select>
                </td>
                <td className="max-w-96 wrap-anywhere text-muted">
                  <Clamped
                    text={preview
                      .map((cells) => cells[index] ?? '')
                      .filter(Boolean)
                      .join(' · ')}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <label className="flex min-h-9 items-center gap-2">
        <input type="checkbox" name="adds" className="grid-check" defaultChecked={mapping.adds} />
        Add a variant for each line that doesn’t match one
      </label>
      <label className="mb-3 flex min-h-9 items-center gap-2">
        <input type="checkbox" name="clears" className="grid-check" defaultChecked={mapping.clears} />
        Clear a field when its cell is empty
      </label>
      <Button kind="primary" name="intent" value="check" aria-disabled={isChecking || undefined}>
        {isChecking ? 'Checking…' : 'Check file'}
      </Button>
    </PostForm>
  )
}
