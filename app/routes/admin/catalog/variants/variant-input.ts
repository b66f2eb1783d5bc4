import { missingVariantFields } from '#domain/catalog/catalog-messages.ts'
import type { VariantRow } from '#domain/catalog/variant-grid.ts'
import { resolveInStock } from '#domain/catalog/variant-rules.ts'

/** The values of a variant's form. */
export type VariantFormValues = {
  brandName: string
  manufacturerId: string
  /** The text of the manufacturer field, chosen from the list or not. */
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
  /** Null until the user touches it: until then it follows the stock. */
  inStock: boolean | null
  linkedVariantId: string
}

export const blankVariant: VariantFormValues = {
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

export const toFormValues = (row: VariantRow): VariantFormValues => ({
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

const unknownManufacturer = 'Choose a manufacturer from the list, or leave it blank.'

/** Text that is not a number counts as 0 (specification, section 5). */
const parseWhole = (text: string): number => Number(text) || 0
const blankToNull = (text: string): string | null => (text.trim() === '' ? null : text)

/** The form's values as input: optional blank fields are null. */
export const toVariantInput = (values: VariantFormValues) => ({
  brandName: blankToNull(values.brandName),
  manufacturerId: blankToNull(values.manufacturerId),
  // The select offers only the known forms, and the server validates them.
  dosageForm: blankToNull(values.dosageForm) as VariantRow['dosageForm'],
  strength: values.strength,
  strengthUnit: values.strengthUnit,
  packageSize: parseWhole(values.packageSize),
  packageUnit: values.packageUnit,
  price: values.price,
  acquisitionCost: blankToNull(values.acquisitionCost),
  sku: blankToNull(values.sku),
  upc: blankToNull(values.upc),
  ndc: blankToNull(values.ndc),
  din: blankToNull(values.din),
  stockQuantity: parseWhole(values.stockQuantity),
  linkedVariantId: blankToNull(values.linkedVariantId),
  ...(values.inStock !== null && { inStock: values.inStock }),
})
export type VariantInput = ReturnType<typeof toVariantInput>

const isAmount = (name: string): boolean => name === 'price' || name === 'acquisitionCost'

const isSame = (name: string, a: unknown, b: unknown): boolean =>
  a === b || (isAmount(name) && a !== null && b !== null && a !== '' && b !== '' && Number(a) === Number(b))

/**
 * The fields that differ from the row. Only these are sent, so that other edits of the row survive.
 */
export function changedFields(values: VariantFormValues, row: VariantRow): Partial<VariantInput> {
  const before: Record<string, unknown> = toVariantInput(toFormValues(row))
  const changes = Object.entries(toVariantInput(values)).filter(
    ([name, value]) => !isSame(name, value, before[name]),
  )
  return Object.fromEntries(changes)
}

const required = ['strength', 'strengthUnit', 'packageSize', 'packageUnit', 'price'] as const

/**
 * The fields that the form rejects, with their messages: required ones that are blank, and a
 * manufacturer that is not on the list. A field that was blank before, as in rows from a directory,
 * does not block the edit of another field.
 */
export function findFieldErrors(values: VariantFormValues, row: VariantRow | null): Record<string, string> {
  const input = toVariantInput(values)
  const before = row && toVariantInput(toFormValues(row))
  const isBlank = (value: string | number): boolean =>
    typeof value === 'number' ? value === 0 : value.trim() === ''
  const missing = required.filter((name) => isBlank(input[name]) && !(before && isBlank(before[name])))
  return {
    ...Object.fromEntries(missing.map((name) => [name, missingVariantFields])),
    ...(values.manufacturer.trim() !== '' &&
      values.manufacturerId === '' && { manufacturerId: unknownManufacturer }),
  }
}

/** Whether the shop would show the variant as in stock. */
export function isShownInStock(values: VariantFormValues, row: VariantRow | null): boolean {
  if (values.inStock !== null) return values.inStock
  const after = {
    trackInventory: row?.trackInventory ?? true,
    stockQuantity: parseWhole(values.stockQuantity),
  }
  return resolveInStock(row, after, undefined) ?? false
}

/** The labels of the variant form (contract, "Variant form"). */
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
  trackInventory: 'Track inventory',
} as const
