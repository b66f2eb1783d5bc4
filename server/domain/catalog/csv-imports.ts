/** Files of variants, prices or stock that an administrator brings, without what checks their fields (variant-row.ts). */

/**
 * 'receiving' while the file comes, 'received' until its columns are said, 'checking', 'checked' when it is known what each line would do,
 * 'applying', 'applied'; 'discarded' waits to be deleted.
 */
export type ImportStatus =
  'receiving' | 'received' | 'checking' | 'checked' | 'applying' | 'applied' | 'discarded'

export const importOutcomes = ['added', 'changed', 'unchanged', 'refused'] as const
export type ImportOutcome = (typeof importOutcomes)[number]

export const outcomeWords: Readonly<Record<ImportOutcome, string>> = {
  added: 'Added',
  changed: 'Changed',
  unchanged: 'Unchanged',
  refused: 'Refused',
}

/** What a file may hold: whoever has more splits it. */
export const csvBounds = {
  /** 64 MiB: a whole catalogue of 104 thousand variants with all fields is 25. */
  bytes: 64 * 1024 * 1024,
  rows: 250_000,
  columns: 200,
  /** Characters of one line. */
  line: 1024 * 1024,
} as const

export const tooLargeFile = 'The file is larger than 64 MB. Please split it.'

/** What a column may say, in the words of the variant's form; the first five find the variant. */
export const importFields = {
  id: 'Variant id',
  ndc: 'NDC',
  din: 'DIN',
  upc: 'UPC',
  sku: 'SKU',
  product: 'Product',
  brandName: 'Brand name',
  manufacturer: 'Manufacturer',
  dosageForm: 'Dosage form',
  strength: 'Strength',
  strengthUnit: 'Strength unit',
  packageSize: 'Package size',
  packageUnit: 'Package unit',
  price: 'Price',
  acquisitionCost: 'Acquisition cost',
  stockQuantity: 'Stock quantity',
  inStock: 'In stock',
  trackInventory: 'Track inventory',
  linkedVariantId: 'Linked variant',
} as const satisfies Record<string, string>

export type ImportField = keyof typeof importFields
export const importFieldNames = Object.keys(importFields) as ImportField[]
export const keyFields = ['id', 'ndc', 'din', 'upc', 'sku'] as const satisfies ImportField[]

/** Which column of the file says what, by its place from 0 on, and how the lines are meant. */
export type ImportMapping = {
  columns: Readonly<Partial<Record<ImportField, number>>>
  /** Whether lines that match no variant add one. */
  adds: boolean
  /** Whether an empty cell empties what may be empty, in place of leaving it as it is. */
  clears: boolean
}

/** What a variant's fields were and are to be: money is text with two decimals. */
export type ImportChanges = Readonly<Record<string, readonly [before: ImportValue, after: ImportValue]>>
export type ImportValue = string | number | boolean | null

/** What is said over the same column elsewhere. */
const otherNames: Readonly<Partial<Record<ImportField, readonly string[]>>> = {
  id: ['id', 'variant'],
  ndc: ['ndc code', 'ndc 11', 'package ndc'],
  upc: ['upc code', 'gtin', 'barcode'],
  din: ['din code'],
  product: ['product name', 'product id', 'medicine', 'name'],
  brandName: ['brand', 'brand generic'],
  manufacturer: ['manufacturer name', 'manufacturer id', 'maker', 'labeler'],
  dosageForm: ['form'],
  strengthUnit: ['strength units'],
  packageSize: ['pack size', 'size'],
  packageUnit: ['pack unit', 'package units'],
  price: ['price usd', 'unit price', 'retail price', 'new price'],
  acquisitionCost: ['acq cost', 'cost'],
  stockQuantity: ['stock', 'stock qty', 'quantity', 'qty', 'on hand'],
  inStock: ['available'],
  linkedVariantId: ['linked variant id'],
}

/** "stockQuantity", "Stock_Quantity" and "Stock quantity:" are one name. */
const plain = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

/** Which columns say what, as far as their names tell. */
export function guessColumns(header: readonly string[]): ImportMapping['columns'] {
  const places = new Map(header.map((name, place) => [plain(name), place]))
  const columns: Partial<Record<ImportField, number>> = {}
  for (const field of importFieldNames) {
    const names = [field, importFields[field], ...(otherNames[field] ?? [])].map(plain)
    const found = names.find((name) => places.has(name))
    if (found !== undefined) columns[field] = places.get(found) ?? 0
  }
  return columns
}
