import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import type { StaleField } from '../../../../ui/data-grid/StaleNotice.tsx'
import {
  changedFields,
  toFormValues,
  variantLabels,
  toVariantInput,
  type VariantFormValues,
  type VariantInput,
} from './variant-input.ts'

/** Sales change these fields without any admin editing the row. */
const stockFields: readonly string[] = ['stockQuantity', 'inStock']

/**
 * Whether another admin has edited, since the row was read, a field that the form shows or a stock
 * field that this edit changes.
 */
export function hasConflict(row: VariantRow, current: VariantRow, changes: Partial<VariantInput>): boolean {
  const edited = Object.keys(changes)
  return Object.keys(changedFields(toFormValues(current), row)).some(
    (name) => !stockFields.includes(name) || edited.includes(name),
  )
}

/** The fields whose typed value differs from the current row. */
export function staleFields(values: VariantFormValues, row: VariantRow, current: VariantRow): StaleField[] {
  const edited = Object.keys(changedFields(values, row))
  const yours = displayValues(values, row)
  const stored = displayValues(toFormValues(current), current)
  return Object.keys(toVariantInput(values))
    .filter((name) => !stockFields.includes(name) || edited.includes(name))
    .filter((name) => yours[name] !== stored[name])
    .map((name) => ({
      label: variantLabels[name as keyof typeof variantLabels],
      yours: yours[name] ?? '',
      current: stored[name] ?? '',
    }))
}

/** The values as text for display: references by name instead of id. */
function displayValues(
  values: VariantFormValues,
  { linkedVariant, linkedVariantId }: VariantRow,
): Record<string, string> {
  const isSameLink = values.linkedVariantId === (linkedVariantId ?? '')
  return {
    ...Object.fromEntries(
      Object.entries(toVariantInput(values)).map(([name, value]) => [name, String(value ?? '')]),
    ),
    manufacturerId: values.manufacturer,
    linkedVariantId: isSameLink ? (linkedVariant ?? '') : values.linkedVariantId && 'Another variant',
  }
}
