import { missingVariantFields } from '#domain/catalog/catalog-messages.ts'
import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { standsInStock } from '#domain/catalog/variant-rules.ts'

/** What stands in the fields of a variant's form. */
export type VariantTyped = {
  brandName: string
  manufacturerId: string
  /** What stands in the field of the maker, chosen or not. */
  manufacturer: string
  dosageForm: string
  strength: string
  strengthUnit: string
  packageSize: string
  packageUnit: string
  price: string
  acquisitionCost: string
  sku: string
  upc: string
  ndc: string
  din: string
  stockQuantity: string
  /** Null while nobody touched it: it follows the stock. */
  inStock: boolean | null
  linkedVariantId: string
}

export const blankVariant: VariantTyped = {
  brandName: '',
  manufacturerId: '',
  manufacturer: '',
  dosageForm: '',
  strength: '',
  strengthUnit: '',
  packageSize: '',
  packageUnit: '',
  price: '',
  acquisitionCost: '',
  sku: '',
  upc: '',
  ndc: '',
  din: '',
  stockQuantity: '0',
  inStock: null,
  linkedVariantId: '',
}

export const typedOf = (row: VariantRow): VariantTyped => ({
  brandName: row.brandName ?? '',
  manufacturerId: row.manufacturerId ?? '',
  manufacturer: row.manufacturerName ?? '',
  dosageForm: row.dosageForm ?? '',
  strength: row.strength,
  strengthUnit: row.strengthUnit,
  packageSize: String(row.packageSize),
  packageUnit: row.packageUnit,
  price: row.price ?? '',
  acquisitionCost: row.acquisitionCost ?? '',
  sku: row.sku ?? '',
  upc: row.upc ?? '',
  ndc: row.ndc ?? '',
  din: row.din ?? '',
  stockQuantity: String(row.stockQuantity),
  inStock: null,
  linkedVariantId: row.linkedVariantId ?? '',
})

/** What is no number counts as 0 (specification, section 5). */
const wholeOf = (text: string): number => Number(text) || 0
const orNull = (text: string): string | null => (text.trim() === '' ? null : text)

/** What is sent of it: blank fields that may be blank are null. */
export const wireOf = (typed: VariantTyped) => ({
  brandName: orNull(typed.brandName),
  manufacturerId: orNull(typed.manufacturerId),
  // The list holds the forms there are; the server knows them, too.
  dosageForm: orNull(typed.dosageForm) as VariantRow['dosageForm'],
  strength: typed.strength,
  strengthUnit: typed.strengthUnit,
  packageSize: wholeOf(typed.packageSize),
  packageUnit: typed.packageUnit,
  price: typed.price,
  acquisitionCost: orNull(typed.acquisitionCost),
  sku: orNull(typed.sku),
  upc: orNull(typed.upc),
  ndc: orNull(typed.ndc),
  din: orNull(typed.din),
  stockQuantity: wholeOf(typed.stockQuantity),
  linkedVariantId: orNull(typed.linkedVariantId),
  ...(typed.inStock !== null && { inStock: typed.inStock }),
})
export type VariantWire = ReturnType<typeof wireOf>

const isAmount = (name: string): boolean => name === 'price' || name === 'acquisitionCost'

const isSame = (name: string, one: unknown, other: unknown): boolean =>
  one === other ||
  (isAmount(name) &&
    one !== null &&
    other !== null &&
    one !== '' &&
    other !== '' &&
    Number(one) === Number(other))

/** What of it differs from the row that was edited: the rest stays as it is, whoever changes it meanwhile. */
export function changesOf(typed: VariantTyped, row: VariantRow): Partial<VariantWire> {
  const before: Record<string, unknown> = wireOf(typedOf(row))
  const changes = Object.entries(wireOf(typed)).filter(([name, value]) => !isSame(name, value, before[name]))
  return Object.fromEntries(changes)
}

const required = ['strength', 'strengthUnit', 'packageSize', 'packageUnit', 'price'] as const

/**
 * The required fields that are blank, each with the documented words. What a directory left blank does not stand in the way of an edit of
 * something else.
 */
export function missingOf(typed: VariantTyped, row: VariantRow | null): Record<string, string> {
  const wire = wireOf(typed)
  const before = row && wireOf(typedOf(row))
  const isBlank = (value: string | number): boolean =>
    typeof value === 'number' ? value === 0 : value.trim() === ''
  const missing = required.filter((name) => isBlank(wire[name]) && !(before && isBlank(before[name])))
  return Object.fromEntries(missing.map((name) => [name, missingVariantFields]))
}

/** Whether the shop would show it as in stock. */
export function showsInStock(typed: VariantTyped, row: VariantRow | null): boolean {
  if (typed.inStock !== null) return typed.inStock
  const after = { trackInventory: row?.trackInventory ?? true, stockQuantity: wholeOf(typed.stockQuantity) }
  return standsInStock(row, after, undefined) ?? false
}

/** The labels of what can be edited (contract, "Variant form"). */
export const variantLabels = {
  productId: 'Product',
  brandName: 'Brand name',
  manufacturerId: 'Manufacturer',
  dosageForm: 'Dosage form',
  strength: 'Strength',
  strengthUnit: 'Strength unit',
  packageSize: 'Package size',
  packageUnit: 'Package unit',
  price: 'Price',
  acquisitionCost: 'Acquisition cost',
  sku: 'SKU',
  upc: 'UPC',
  ndc: 'NDC',
  din: 'DIN',
  stockQuantity: 'Stock quantity',
  inStock: 'In stock',
  linkedVariantId: 'Linked variant',
  trackInventory: 'Stock is counted',
} as const
