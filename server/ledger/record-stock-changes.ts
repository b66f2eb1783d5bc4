import { pipeline } from '#db/engine/sql.ts'
import { insertInboxRow } from '#db/ledger/sealed-rows.ts'
import type { StockChange } from '#db/inventory/stock-change.ts'
import type { InventoryTransaction, TransactionType } from '#domain/inventory/inventory.ts'
import { toTransaction, type LedgerChange } from '#domain/ledger/ledger.ts'
import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { sealInboxRow } from './sealed-ledger.ts'

export type LedgerEntry = {
  change: StockChange
  transactionType: TransactionType
  notes: string | null
  /** For a repeated request to find the change. A random UUID, which reveals no time. */
  id?: string | undefined
}

/**
 * Writes stock changes to the ledger's inbox, in the transaction that made them: one sealed row,
 * from which no time, variant or quantity can be read without the shop's key. Returns the rows of
 * the ledger.
 * @param orderIds the orders that made the changes; none for an admin's
 */
export async function recordStockChanges(
  { db, keys, now }: Pick<Context, 'db' | 'keys' | 'now'>,
  entries: readonly LedgerEntry[],
  orderIds: readonly string[] = [],
): Promise<InventoryTransaction[]> {
  if (entries.length === 0) return []
  const changes = entries.map(({ change, transactionType, notes, id = randomUUID() }): LedgerChange => ({
    id,
    variantId: change.variantId,
    type: transactionType,
    change: change.after - change.before,
    before: change.before,
    notes,
    at: now.getTime(),
    sequence: change.sequence,
    ...(change.lots.length > 0 && { lots: [...change.lots] }),
  }))
  await pipeline(
    insertInboxRow(db, sealInboxRow(keys, { orderIds: [...orderIds], changes }, entries[0]?.id)),
    queueWebhooks(
      { db, keys, now },
      entries.map(({ change: { variantId, before, after } }) => ({
        type: 'stock.changed',
        data: { variantId, quantityBefore: before, quantityAfter: after },
      })),
    ),
  )
  return changes.map(toTransaction)
}
