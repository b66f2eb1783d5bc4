import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import type { StaleField } from '../../../../ui/data-grid/StaleNotice.tsx'
import {
  changesOf,
  typedOf,
  variantLabels,
  wireOf,
  type VariantTyped,
  type VariantWire,
} from './variant-input.ts'

/** What sells and what its sums follow changes a row by itself. */
const ofTheStock: readonly string[] = ['stockQuantity', 'inStock']

/** Whether somebody has edited what a form shows, or one's own change, since the row was read. */
export function wasEdited(row: VariantRow, theirs: VariantRow, changes: Partial<VariantWire>): boolean {
  const differing = Object.keys(changesOf(typedOf(theirs), row))
  const own = Object.keys(changes)
  return differing.some((name) => !ofTheStock.includes(name) || own.includes(name))
}

/** What one typed beside what stands there now. */
export function staleFields(typed: VariantTyped, row: VariantRow, theirs: VariantRow): StaleField[] {
  const own = Object.keys(changesOf(typed, row))
  const mine = shown(typed, row)
  const now = shown(typedOf(theirs), theirs)
  return Object.keys(wireOf(typed))
    .filter((name) => !ofTheStock.includes(name) || own.includes(name))
    .filter((name) => mine[name] !== now[name])
    .map((name) => ({
      name: variantLabels[name as keyof typeof variantLabels],
      mine: mine[name] ?? '',
      theirs: now[name] ?? '',
    }))
}

/** As one reads it: references by name. */
function shown(typed: VariantTyped, { linkedVariant, linkedVariantId }: VariantRow): Record<string, string> {
  const isLinkedSo = typed.linkedVariantId === (linkedVariantId ?? '')
  return {
    ...Object.fromEntries(Object.entries(wireOf(typed)).map(([name, value]) => [name, String(value ?? '')])),
    manufacturerId: typed.manufacturer,
    linkedVariantId: isLinkedSo ? (linkedVariant ?? '') : typed.linkedVariantId && 'Another variant',
  }
}
