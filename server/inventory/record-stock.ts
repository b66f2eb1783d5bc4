import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import type { InventoryTransaction } from '#domain/inventory/inventory.ts'
import type { Context } from '../context.ts'
import { recordStockChanges, type LedgerEntry } from '../ledger/record-stock-changes.ts'

/**
 * Writes an admin's stock change to the ledger, in the transaction that made it, and refreshes the
 * product's summary when the variant ran out or came back. Returns the ledger row.
 */
export async function recordStock(
  { db, keys, now }: Pick<Context, 'db' | 'keys' | 'now'>,
  entry: LedgerEntry,
): Promise<InventoryTransaction> {
  const [row] = await recordStockChanges({ db, keys, now }, [entry])
  if (!row) throw new Error('A stock change must write one ledger row.')
  if (entry.change.hasAvailabilityChanged) await refreshProductSummaries(db, [entry.change.productId], now)
  return row
}
