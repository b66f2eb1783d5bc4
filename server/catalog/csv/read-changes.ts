import type { ImportChanges } from '#domain/catalog/csv-imports.ts'
import {
  newVariantSchema,
  variantChangesSchema,
  type NewVariant,
  type VariantChanges,
} from '#domain/catalog/variant-fields.ts'

const toWire = (changes: ImportChanges): Record<string, unknown> =>
  Object.fromEntries(Object.entries(changes).map(([field, [, after]]) => [field, after]))

/** What a checked line changes about a variant. */
export const readEdit = (changes: ImportChanges): VariantChanges =>
  variantChangesSchema.parse(toWire(changes))

/** The variant that a checked line adds to a product. */
export const readNewVariant = (changes: ImportChanges, productId: string | null): NewVariant =>
  newVariantSchema.parse({ ...toWire(changes), productId })
