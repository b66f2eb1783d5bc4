import { insertTransactions, type LedgerEntry } from '#db/inventory/inventory-transactions.ts'
import { refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import type { InventoryTransaction } from '#domain/inventory/inventory.ts'
import type { Db } from '../engine/client.ts'

/**
 * Writes a change of a variant's stock into the ledger, in the transaction that made it, and brings its product's summary up to
 * date when the variant ran out or came back. Answers the ledger's row.
 */
export async function recordStock(
  { db, now }: { db: Db; now: Date },
  entry: LedgerEntry,
): Promise<InventoryTransaction> {
  const [row] = await insertTransactions(db, [entry])
  if (!row) throw new Error('A change of the stock makes one row of the ledger.')
  if (entry.change.flipped) await refreshProductSummaries(db, [entry.change.productId], now)
  return row
}
