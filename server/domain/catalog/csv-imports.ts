/** CSV imports of variants, prices or stock. The field checks are in variant-row.ts. */

/**
 * 'receiving' during the upload, 'received' until the columns are mapped, 'checking', 'checked'
 * once the effect of every line is known, 'applying', 'applied'. 'discarded' imports are waiting to
 * be deleted.
 */
export type ImportStatus =
  | 'receiving'
  | 'received'
  | 'checking'
  | 'checked'
  | 'applying'
  | 'applied'
  | 'discarded'

export const importOutcomes = ['added', 'changed', 'unchanged', 'refused'] as const
export type ImportOutcome = (typeof importOutcomes)[number]

/** What the lines of a check are listed by: `warned` are those with a warning. */
export const lineFilters = [...importOutcomes, 'warned'] as const
export type LineFilter = (typeof lineFilters)[number]

export const outcomeLabels: Readonly<Record<ImportOutcome, string>> = {
  added: 'Added',
  changed: 'Changed',
  unchanged: 'Unchanged',
  refused: 'Rejected',
}

/** Upper bounds of a file. Larger files must be split. */
export const csvBounds = {
  /** 64 MiB. A full catalog of 104,000 variants with all fields is 25 MiB. */
  bytes: 64 * 1024 * 1024,
  rows: 250_000,
  columns: 200,
  /** Characters in one line. */
  line: 1024 * 1024,
} as const

export const fileTooLarge = 'The file must be 64 MB or smaller. Split it into smaller files.'

/** What a column can hold, labeled as in the variant form. The first five identify the variant. */
export const importFields = {
  id: 'Variant ID',
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
  lotNumber: 'Lot number',
  expiryDate: 'Expiry date',
  inStock: 'In stock',
  trackInventory: 'Track inventory',
  linkedVariantId: 'Linked variant',
} as const satisfies Record<string, string>

export type ImportField = keyof typeof importFields
export const importFieldNames = Object.keys(importFields) as ImportField[]
export const keyFields = ['id', 'ndc', 'din', 'upc', 'sku'] as const satisfies ImportField[]

/** Which column holds which field (by 0-based position), and the import options. */
export type ImportMapping = {
  columns: Readonly<Partial<Record<ImportField, number>>>
  /** Whether a line that matches no variant adds one. */
  adds: boolean
  /** Whether an empty cell clears an optional field. Otherwise it leaves the field unchanged. */
  clears: boolean
}

/** The old and new values of a variant's fields. Money is text with two decimals. */
export type ImportChanges = Readonly<Record<string, readonly [before: ImportValue, after: ImportValue]>>
export type ImportValue = string | number | boolean | null

/** Other common headings for the same column. */
const headingAliases: Readonly<Partial<Record<ImportField, readonly string[]>>> = {
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
  lotNumber: ['lot', 'lot no', 'batch', 'batch number'],
  expiryDate: ['expiry', 'expires', 'expires on', 'expiration', 'expiration date', 'exp date'],
  inStock: ['available'],
  linkedVariantId: ['linked variant id'],
}

/** "stockQuantity", "Stock_Quantity" and "Stock quantity:" normalize to the same text. */
const normalizeHeading = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

/** Guesses the mapping from the column headings. */
export function guessColumns(header: readonly string[]): ImportMapping['columns'] {
  const indexes = new Map(header.map((name, index) => [normalizeHeading(name), index]))
  const columns: Partial<Record<ImportField, number>> = {}
  for (const field of importFieldNames) {
    const names = [field, importFields[field], ...(headingAliases[field] ?? [])].map(normalizeHeading)
    const found = names.find((name) => indexes.has(name))
    if (found !== undefined) columns[field] = indexes.get(found) ?? 0
  }
  return columns
}
