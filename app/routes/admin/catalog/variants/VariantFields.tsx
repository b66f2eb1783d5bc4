import { dosageForms } from '#domain/catalog/catalog.ts'
import { identifierWarning } from '#domain/catalog/identifier-warnings.ts'
import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { trpc } from '../../../../http/trpc.ts'
import { Field, SelectField } from '../../../../ui/Field.tsx'
import { TriangleExclamationPoint } from '../../../../ui/admin-icons.tsx'
import { ChoiceField } from '../products/ChoiceField.tsx'
import { showsInStock, variantLabels, type VariantTyped } from './variant-input.ts'

type VariantFieldsProps = {
  typed: VariantTyped
  onChange: (change: Partial<VariantTyped>) => void
  errors: Readonly<Record<string, string>>
  /** The product whose variants one can be linked to; null while there is none. */
  productId: string | null
  /** The variant that is edited; null for a new one. */
  row: VariantRow | null
}

type TextName = Exclude<keyof VariantTyped, 'inStock' | 'manufacturer'>

/** The fields of a variant's form. */
export function VariantFields({ typed, onChange, errors, productId, row }: VariantFieldsProps) {
  const utils = trpc.useUtils()
  const { data: siblings = [] } = trpc.variants.siblings.useQuery(
    { productId: productId ?? '' },
    { enabled: productId !== null },
  )
  const text = (name: TextName) => ({
    label: variantLabels[name],
    name,
    value: typed[name],
    error: errors[name],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ [name]: event.currentTarget.value }),
  })
  const amount = { type: 'number', step: '0.01', min: '0', inputMode: 'decimal' } as const
  const whole = { type: 'number', step: '1', min: '0', inputMode: 'numeric' } as const
  const code = (kind: 'upc' | 'ndc' | 'din') => {
    const warning = identifierWarning(kind, typed[kind])
    return { ...text(kind), spellCheck: false, ...(warning && { hint: <Warning text={warning} /> }) }
  }
  return (
    <div className="form-grid">
      <Field {...text('brandName')} hint="Blank is generic" />
      <ChoiceField
        label={variantLabels.manufacturerId}
        listLabel="Manufacturers"
        hint="Type and choose; blank is none"
        placeholder="None"
        error={errors['manufacturerId']}
        chosen={{ id: typed.manufacturerId, label: typed.manufacturer }}
        load={(sought) => utils.variants.manufacturers.fetch({ typed: sought })}
        onChange={({ id, label }) => onChange({ manufacturerId: id, manufacturer: label })}
      />
      <SelectField {...text('dosageForm')}>
        <option value="">Not stated</option>
        {dosageForms.map((form) => (
          <option key={form}>{form}</option>
        ))}
      </SelectField>
      <Field {...text('strength')} required />
      <Field {...text('strengthUnit')} required />
      <Field {...text('packageSize')} {...whole} required />
      <Field {...text('packageUnit')} required />
      <Field {...text('price')} {...amount} required />
      <Field {...text('acquisitionCost')} {...amount} />
      <Field {...text('stockQuantity')} {...whole} />
      <div className="self-center">
        <label className="flex items-center gap-2 font-medium">
          <input
            type="checkbox"
            className="grid-check"
            checked={showsInStock(typed, row)}
            onChange={(event) => onChange({ inStock: event.currentTarget.checked })}
          />
          {variantLabels.inStock}
        </label>
        {errors['inStock'] ? (
          <p className="mt-1 text-sm font-medium text-error">{errors['inStock']}</p>
        ) : null}
      </div>
      <SelectField {...text('linkedVariantId')}>
        <option value="">None</option>
        {siblings
          .filter(({ id }) => id !== row?.id)
          .map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
      </SelectField>
      <Field {...text('sku')} spellCheck={false} />
      <Field {...code('upc')} inputMode="numeric" />
      <Field {...code('ndc')} />
      <Field {...code('din')} inputMode="numeric" />
    </div>
  )
}

const Warning = ({ text }: { text: string }) => (
  <span role="status" className="flex items-start gap-1 text-warning">
    <TriangleExclamationPoint className="icon mt-0.5 shrink-0" />
    {text}
  </span>
)
