import { insertTransactions, type LedgerEntry } from '#db/inventory/inventory-transactions.ts'
import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import type { InventoryTransaction } from '#domain/inventory/inventory.ts'
import type { Db } from '../engine/client.ts'

/**
 * Writes a stock change to the ledger, in the transaction that made it, and refreshes the product's
 * summary when the variant ran out or came back. Returns the ledger row.
 */
export async function recordStock(
  { db, now }: { db: Db; now: Date },
  entry: LedgerEntry,
): Promise<InventoryTransaction> {
  const [row] = await insertTransactions(db, [entry])
  if (!row) throw new Error('A stock change must write one ledger row.')
  if (entry.change.hasAvailabilityChanged) await refreshProductSummaries(db, [entry.change.productId], now)
  return row
}
