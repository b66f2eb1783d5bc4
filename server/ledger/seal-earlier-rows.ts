import { deletePlainRows, hasRowsToSeal, listRowsToSeal } from '#db/ledger/plain-rows.ts'
import { insertInboxRow } from '#db/ledger/sealed-rows.ts'
import { countCustomersBetween } from '#db/orders/orders.ts'
import type { InventoryTransaction } from '#domain/inventory/inventory.ts'
import { batchCustomers, fromPlainRow, type LedgerChange } from '#domain/ledger/ledger.ts'
import { randomUUID } from 'node:crypto'
import type { JobContext } from '../job-context.ts'
import { storeBatch } from './close-batches.ts'
import { sealInboxRow } from './sealed-ledger.ts'

const rowsPerRead = 500
/** Small enough that writers on SQLite wait a few milliseconds for it at most. */
const changesPerInboxRow = 200

/**
 * Seals the ledger of a shop from before migration 0027: all rows but the first of each variant, by
 * time, in batches of many customers' orders; what is left over goes into the inbox. It can be
 * interrupted and run again; two processes never seal a row twice. Each row gets a new, random id,
 * because the former one tells the order's time.
 */
export async function sealEarlierRows(
  { db, keys, now }: Pick<JobContext, 'db' | 'keys' | 'now'>,
  { customers: min = batchCustomers, signal }: { customers?: number; signal?: AbortSignal } = {},
): Promise<void> {
  if (!(await hasRowsToSeal(db))) return
  const isStopped = (): boolean => signal?.aborted === true
  let waiting: InventoryTransaction[] = []
  for (let after = ''; !isStopped();) {
    const rows = await listRowsToSeal(db, { after, limit: rowsPerRead })
    waiting.push(...rows)
    const [first, last] = [waiting[0], waiting.at(-1)]
    if (!first || !last) return
    after = last.id
    const isEnd = rows.length < rowsPerRead
    const customers = await countCustomersBetween(db, { from: first.createdAt, to: last.createdAt })
    if (customers >= min) {
      await replace(waiting, async (tx, changes) => storeBatch({ db: tx, keys, now: now() }, changes))
      waiting = []
    } else if (isEnd) {
      for (let i = 0; i < waiting.length; i += changesPerInboxRow) {
        await replace(waiting.slice(i, i + changesPerInboxRow), (tx, changes) =>
          insertInboxRow(tx, sealInboxRow(keys, { orderIds: [], changes })),
        )
      }
    }
    if (isEnd) return
  }

  /** Deletes plain rows and stores them sealed, unless another process has done so. */
  function replace(
    rows: readonly InventoryTransaction[],
    store: (tx: typeof db, changes: LedgerChange[]) => Promise<void>,
  ): Promise<void> {
    return db.transaction().execute(async (tx) => {
      const deleted = await deletePlainRows(
        tx,
        rows.map(({ id }) => id),
      )
      if (deleted < rows.length) throw new Error('Another process is sealing the earlier ledger.')
      await store(
        tx,
        rows.map((row) => ({ ...fromPlainRow(row), id: randomUUID() })),
      )
    })
  }
}
