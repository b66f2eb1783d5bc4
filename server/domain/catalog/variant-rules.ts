/** Rules that every edit of a variant follows. Each message belongs to the field of its name. */

type StockState = { trackInventory: boolean; inStock: boolean; stockQuantity: number }

export const inStockWithoutStock = 'A variant that tracks inventory can’t be in stock with 0 on hand.'

/**
 * Whether a variant is in stock after an edit, or null when the request contradicts the stock
 * (settled decisions, "`inStock` versus `stockQuantity`"). Tracked stock turns it off at zero and on when
 * it leaves zero. Otherwise it stays as it was set.
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
  const wasCounted = before.trackInventory && after.trackInventory
  return (wasCounted && before.stockQuantity === 0) || before.inStock
}
