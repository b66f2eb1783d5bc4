import type { Db } from '#db/engine/client.ts'
import { shuffleRowOrder } from '#db/inventory/shuffle-row-order.ts'
import { countInbox, deleteInboxRows, findLastBatch, insertBatch, listInbox } from '#db/ledger/sealed-rows.ts'
import { listOrderCustomers } from '#db/orders/orders.ts'
import { newId, timeOfId } from '#domain/ids.ts'
import {
  batchCustomers,
  batchSpan,
  splitInbox,
  type LedgerChange,
  type OpenInboxRow,
} from '#domain/ledger/ledger.ts'
import type { JobContext } from '../job-context.ts'
import { openInboxRow, sealLedgerRow, sealSums } from './sealed-ledger.ts'

/** Thrown to roll back a batch of which another process took rows. */
class TakenByOthersError extends Error {}

/**
 * Moves what many customers' orders changed from the ledger's inbox into closed batches, whose rows
 * SQL can find by variant. Returns the number of rows in the inbox from which on another call may
 * close one.
 */
export async function closeBatches(
  { db, keys, now }: Pick<JobContext, 'db' | 'keys' | 'now'>,
  { customers: min = batchCustomers, signal }: { customers?: number; signal?: AbortSignal } = {},
): Promise<number> {
  const count = await countInbox(db)
  if (count < min) return min
  const rows = (await listInbox(db)).map((row) => ({ id: row.id, ...openInboxRow(keys, row) }))
  const orderIds = rows.flatMap((row) => row.orderIds)
  const customers = await listOrderCustomers(db, orderIds)
  let left = rows.length
  const { batches, missing } = splitInbox(rows, customers, min)
  for (const batch of batches) {
    if (signal?.aborted) return 0
    try {
      await db.transaction().execute((tx) => closeBatch({ db: tx, keys, now: now() }, batch))
    } catch (error) {
      if (error instanceof TakenByOthersError) return 0
      throw error
    }
    left -= batch.length
  }
  return left + missing
}

async function closeBatch(
  { db, keys, now }: { db: Db; keys: JobContext['keys']; now: Date },
  rows: readonly OpenInboxRow[],
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  if ((await deleteInboxRows(db, ids)) < ids.length) throw new TakenByOthersError()
  const changes = rows.flatMap((row) => row.changes)
  await storeBatch({ db, keys, now }, changes)
  const sold = changes.filter(({ type }) => type === 'sale' || type === 'cancellation')
  await shuffleRowOrder(db, [...new Set(sold.map(({ variantId }) => variantId))])
}

/** Stores changes as a new batch, after all others, in the caller's transaction. */
export async function storeBatch(
  { db, keys, now }: { db: Db; keys: JobContext['keys']; now: Date },
  changes: readonly LedgerChange[],
): Promise<void> {
  const previous = await findLastBatch(db)
  const sums = new Map<string, number>()
  for (const { variantId, type, change } of changes) {
    if (type === 'sale' || type === 'cancellation') sums.set(variantId, (sums.get(variantId) ?? 0) - change)
  }
  // After the previous batch, even if this process's clock is behind the other's.
  const id = newId(Math.max(now.getTime(), previous ? timeOfId(previous.id) + 1 : 0))
  await insertBatch(
    db,
    {
      id,
      ...batchSpan(changes, { now, previousEnd: previous?.toAt ?? null }),
      sealedSums: sealSums(keys, id, sums),
    },
    changes.map((change) => sealLedgerRow(keys, id, change)),
  )
}
