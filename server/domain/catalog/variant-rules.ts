/** What must hold of a variant, whoever edits it. Pure; each sentence belongs to the field of its name. */

type Standing = { trackInventory: boolean; inStock: boolean; stockQuantity: number }

export const inStockWithoutStock = 'A variant whose stock is counted is not in stock with none on hand.'

/**
 * Whether the shop shows a variant as in stock after an edit, or null when what was said contradicts the stock (settled decisions, "`inStock`
 * against `stockQuantity`"): counted stock turns it off at zero and on when it leaves zero; else it is as it was set.
 * @param before null for a new variant
 * @param said what the edit says, when it says anything
 */
export function resolveInStock(
  before: Standing | null,
  after: Omit<Standing, 'inStock'>,
  said: boolean | undefined,
): boolean | null {
  if (after.trackInventory && after.stockQuantity === 0) return said === true ? null : false
  if (said !== undefined) return said
  if (before === null) return true
  const wasCounted = before.trackInventory && after.trackInventory
  return (wasCounted && before.stockQuantity === 0) || before.inStock
}
