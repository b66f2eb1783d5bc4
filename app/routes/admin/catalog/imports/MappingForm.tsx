import { importFieldNames, importFields, keyFields } from '#domain/catalog/csv-imports.ts'
import type { ImportView } from '#server/catalog/csv/get-import.ts'
import { useId } from 'react'
import { Form, useNavigation } from 'react-router'
import { Button } from '../../../../ui/Button.tsx'

type MappingFormProps = { file: Pick<ImportView, 'header' | 'preview' | 'mapping'> }

/** What each column of a file says, with its first values beside it. */
export function MappingForm({ file: { header, preview, mapping } }: MappingFormProps) {
  const id = useId()
  const isChecking = useNavigation().formData?.get('intent') === 'check'
  const fieldAt = (place: number): string =>
    importFieldNames.find((field) => mapping.columns[field] === place) ?? ''
  const isGuessed = Object.keys(mapping.columns).length > 0
  const hasKey = keyFields.some((field) => mapping.columns[field] !== undefined)
  return (
    <Form method="post">
      <p className="mb-2 max-w-2xl">
        {isGuessed
          ? 'What the columns say was told by their names. Please look whether it is right.'
          : 'None of the columns has a name that is known here. Please say what they hold.'}{' '}
        {hasKey ? '' : 'One of them has to name the variant: its id, NDC, DIN, UPC or SKU.'}
      </p>
      <div className="data-grid mb-3">
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Says</th>
              <th scope="col">First values</th>
            </tr>
          </thead>
          <tbody>
            {header.map((name, place) => (
              <tr key={name}>
                <td id={`${id}-${place}`} className="font-semibold">
                  {name}
                </td>
                <td>
                  <select
                    name={`column-${place}`}
                    className="select w-44 min-w-44"
                    aria-labelledby={`${id}-${place}`}
                    defaultValue={fieldAt(place)}
                  >
                    <option value="">Nothing</option>
                    {importFieldNames.map((field) => (
                      <option key={field} value={field}>
                        {importFields[field]}
                      </option>
                    ))}
                  </select>
                </td>
                <td className="max-w-96 truncate text-muted">
                  {preview
                    .map((cells) => cells[place] ?? '')
                    .filter(Boolean)
                    .join(' · ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <label className="flex min-h-9 items-center gap-2">
        <input type="checkbox" name="adds" className="grid-check" defaultChecked={mapping.adds} />
        Add lines that match no variant
      </label>
      <label className="mb-3 flex min-h-9 items-center gap-2">
        <input type="checkbox" name="clears" className="grid-check" defaultChecked={mapping.clears} />
        Empty cells empty what is there
      </label>
      <Button kind="primary" name="intent" value="check" aria-disabled={isChecking || undefined}>
        {isChecking ? 'Checking…' : 'Check the file'}
      </Button>
    </Form>
  )
}
