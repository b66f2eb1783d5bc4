import type { NewVariant, VariantChanges } from './variant-fields.ts'
import type { VariantValues } from './variant-wire.ts'

/**
 * The rules of creating and changing a variant, for the form, the API and the CSV import alike. The
 * import's check and its application call the same functions.
 */

export type StockState = { trackInventory: boolean; inStock: boolean; stockQuantity: number }

export const inStockWithoutStock = 'A variant that tracks inventory can’t be in stock with 0 on hand.'

/**
 * Whether a variant is in stock after an edit, or null when the request contradicts the stock
 * (settled decisions, "`inStock` versus `stockQuantity`"). Tracked stock turns it off at zero and
 * on when it leaves zero. Otherwise it stays as it was set.
 * @param before null for a new variant
 * @param requested the value in the request, if any
 */
export function resolveInStock(
  before: StockState | null,
  after: Omit<StockState, 'inStock'>,
  requested: boolean | undefined,
): boolean | null {
  if (after.trackInventory && after.stockQuantity === 0) return requested === true ? null : false
  if (requested !== undefined) return requested
  if (before === null) return true
  const wasTracked = before.trackInventory && after.trackInventory
  return (wasTracked && before.stockQuantity === 0) || before.inStock
}

export type EditableVariant = VariantValues & { id: string; productId: string }

/** What search finds a variant by. */
const searchedFields = [
  'productId',
  'brandName',
  'manufacturerId',
  'dosageForm',
  'strength',
  'strengthUnit',
] as const satisfies (keyof EditableVariant)[]

/** Whether an edit changes anything that search finds the variant by. */
export const changesSearchTerms = (before: EditableVariant, after: EditableVariant): boolean =>
  searchedFields.some((field) => before[field] !== after[field])

/** Whether an edit changes an NDC, DIN or UPC. */
export const changesIdentifiers = (before: VariantValues, after: VariantValues): boolean =>
  before.ndc !== after.ndc || before.din !== after.din || before.upc !== after.upc

/**
 * The variant after an edit, or null when the request contradicts the stock. A variant that moves
 * to another product loses its link.
 */
export function applyVariantChanges(
  before: EditableVariant,
  { price, acquisitionCost, inStock: requested, ...changes }: VariantChanges,
): EditableVariant | null {
  const { productId = before.productId } = changes
  const linkedVariantId = productId === before.productId ? before.linkedVariantId : null
  const after = {
    ...before,
    linkedVariantId,
    ...definedOnly({ ...changes, priceCents: price, acquisitionCostCents: acquisitionCost }),
  }
  const inStock = resolveInStock(before, after, requested)
  return inStock === null ? null : { ...after, inStock }
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

const definedOnly = <T extends object>(values: T): Defined<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>

/** The values of a new variant, or null when the request contradicts the stock. */
export function newVariantValues({ price, acquisitionCost, ...input }: NewVariant): VariantValues | null {
  const inStock = resolveInStock(null, input, input.inStock)
  if (inStock === null) return null
  return { ...input, priceCents: price, acquisitionCostCents: acquisitionCost, inStock }
}

/**
 * The invalid references of a variant, by field: its manufacturer must exist, and its linked
 * variant must be another one of the same product.
 * @param known what the database knows of the referenced rows
 */
export function variantReferenceErrors(
  variant: {
    id: string | null
    productId: string
    manufacturerId: string | null
    linkedVariantId: string | null
  },
  known: {
    hasManufacturer: (id: string) => boolean
    productIdOf: (variantId: string) => string | undefined
  },
): { manufacturerId?: string; linkedVariantId?: string } {
  const { id, productId, manufacturerId, linkedVariantId } = variant
  return {
    ...(manufacturerId !== null &&
      !known.hasManufacturer(manufacturerId) && { manufacturerId: 'This manufacturer doesn’t exist.' }),
    ...(linkedVariantId !== null && linkedVariantId === id
      ? { linkedVariantId: 'A variant can’t be linked to itself.' }
      : linkedVariantId !== null &&
        known.productIdOf(linkedVariantId) !== productId && {
          linkedVariantId: 'Choose another variant of the same product.',
        }),
  }
}
