import { dosageForms } from '#domain/catalog/catalog.ts'
import { identifierWarning } from '#domain/catalog/identifier-warnings.ts'
import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { trpc } from '../../../../http/trpc.ts'
import { Field, SelectField } from '../../../../ui/Field.tsx'
import { TriangleExclamationPoint } from '../../../../ui/admin-icons.tsx'
import { ChoiceField } from '../products/ChoiceField.tsx'
import { useSharedIdentifiers } from './use-shared-identifiers.ts'
import { isShownInStock, variantLabels, type VariantFormValues } from './variant-input.ts'

type VariantFieldsProps = {
  values: VariantFormValues
  onChange: (change: Partial<VariantFormValues>) => void
  errors: Readonly<Record<string, string>>
  /** The product whose variants can be linked; null until there is one. */
  productId: string | null
  /** The variant being edited; null for a new one. */
  row: VariantRow | null
}

type TextFieldName = Exclude<keyof VariantFormValues, 'inStock' | 'manufacturer'>

/** The fields of a variant's form. */
export function VariantFields({ values, onChange, errors, productId, row }: VariantFieldsProps) {
  const utils = trpc.useUtils()
  const { data: siblings = [] } = trpc.variants.siblings.useQuery(
    { productId: productId ?? '' },
    { enabled: productId !== null },
  )
  const fieldProps = (name: TextFieldName) => ({
    label: variantLabels[name],
    name,
    value: values[name],
    error: errors[name],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ [name]: event.currentTarget.value }),
  })
  const amountProps = { type: 'number', step: '0.01', min: '0', inputMode: 'decimal' } as const
  const wholeNumberProps = { type: 'number', step: '1', min: '0', inputMode: 'numeric' } as const
  const shared = useSharedIdentifiers(row?.id ?? null, values)
  const identifierProps = (kind: 'upc' | 'ndc' | 'din') => {
    const warning = identifierWarning(kind, values[kind]) ?? shared[kind]
    return { ...fieldProps(kind), spellCheck: false, ...(warning && { hint: <Warning text={warning} /> }) }
  }
  return (
    <div className="form-grid">
      <Field {...fieldProps('brandName')} hint="Leave blank for a generic." />
      <ChoiceField
        label={variantLabels.manufacturerId}
        listLabel="Manufacturers"
        hint="Type a name, then choose. Optional."
        placeholder="None"
        error={errors['manufacturerId']}
        selected={{ id: values.manufacturerId, label: values.manufacturer }}
        load={(text) => utils.variants.manufacturers.fetch({ text })}
        onChange={({ id, label }) => onChange({ manufacturerId: id, manufacturer: label })}
      />
      <SelectField {...fieldProps('dosageForm')}>
        <option value="">Not specified</option>
        {dosageForms.map((form) => (
          <option key={form}>{form}</option>
        ))}
      </SelectField>
      <Field {...fieldProps('strength')} required />
      <Field {...fieldProps('strengthUnit')} required />
      <Field {...fieldProps('packageSize')} {...wholeNumberProps} required />
      <Field {...fieldProps('packageUnit')} required />
      <Field {...fieldProps('price')} {...amountProps} required />
      <Field {...fieldProps('acquisitionCost')} {...amountProps} />
      <Field {...fieldProps('stockQuantity')} {...wholeNumberProps} />
      <div className="self-center">
        <label className="flex items-center gap-2 font-medium">
          <input
            type="checkbox"
            className="grid-check"
            checked={isShownInStock(values, row)}
            onChange={(event) => onChange({ inStock: event.currentTarget.checked })}
          />
          {variantLabels.inStock}
        </label>
        {errors['inStock'] ? (
          <p className="mt-1 text-sm font-medium text-error">{errors['inStock']}</p>
        ) : null}
      </div>
      <SelectField {...fieldProps('linkedVariantId')}>
        <option value="">None</option>
        {siblings
          .filter(({ id }) => id !== row?.id)
          .map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
      </SelectField>
      <Field {...fieldProps('sku')} spellCheck={false} />
      <Field {...identifierProps('upc')} inputMode="numeric" />
      <Field {...identifierProps('ndc')} />
      <Field {...identifierProps('din')} inputMode="numeric" />
    </div>
  )
}

const Warning = ({ text }: { text: string }) => (
  <span role="status" className="flex items-start gap-1 text-warning">
    <TriangleExclamationPoint className="icon mt-0.5 shrink-0" />
    {text}
  </span>
)
