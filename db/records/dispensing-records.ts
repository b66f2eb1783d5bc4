import { sql } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import type { OrderRow } from '../orders/orders.ts'
import type { Schema } from '../schema/schema.ts'

type DispensingRecord = Schema['dispensingRecords']

/**
 * A user's orders of prescription medicines that were ever shipped, in the transaction that deletes
 * the user. An order that an admin ships at the same time is either in the list, or its shipping
 * finds the prescription deleted.
 */
export async function lockDispensedOrders(db: Db, userId: string): Promise<OrderRow[]> {
  const prescriptions = db.selectFrom('prescriptions').select('id').where('userId', '=', userId).orderBy('id')
  const orders = db
    .selectFrom('orders')
    .selectAll()
    .where('userId', '=', userId)
    .where('hasRx', '=', true)
    .orderBy('id')
  const isPostgres = getEngine(db) === 'postgres'
  // In the order in which shipping locks them. SQLite has one writer anyway.
  if (isPostgres) await prescriptions.forUpdate().execute()
  const rows = await (isPostgres ? orders.forUpdate() : orders).execute()
  if (rows.length === 0) return []
  const events = await db
    .selectFrom('orderEvents')
    .select('orderId')
    .where(isOneOf(db, 'order_id', sql`${JSON.stringify(rows.map(({ id }) => id))}`))
    .where('status', 'in', ['shipped', 'delivered'])
    .where('revertedAt', 'is', null)
    .execute()
  const shipped = new Set(events.map(({ orderId }) => orderId))
  return rows.filter(({ id, status }) => status === 'shipped' || status === 'delivered' || shipped.has(id))
}

/**
 * Stores a record and its key.
 * @param moreFiles the storage keys of its files besides the first
 */
export async function insertRecord(
  db: Db,
  record: DispensingRecord,
  { wrappedKey, moreFiles }: { wrappedKey: string; moreFiles: readonly string[] },
): Promise<void> {
  const { orderId, createdAt } = record
  await db.insertInto('recordKeys').values({ orderId, wrappedKey, createdAt }).execute()
  await db.insertInto('dispensingRecords').values(record).execute()
  if (moreFiles.length === 0) return
  await db
    .insertInto('recordFiles')
    .values(moreFiles.map((storageKey) => ({ orderId, storageKey })))
    .execute()
}

export type RecordRow = DispensingRecord & { wrappedKey: string }

const selectRows = (db: Db) =>
  db
    .selectFrom('dispensingRecords')
    .innerJoin('recordKeys', 'recordKeys.orderId', 'dispensingRecords.orderId')
    .selectAll('dispensingRecords')
    .select('recordKeys.wrappedKey')

/** Records whose order number ends with this text, at most two. */
export const findRecords = (db: Db, ending: string): Promise<RecordRow[]> =>
  selectRows(db)
    .where('dispensingRecords.orderId', 'like', `%${ending}`)
    .orderBy('dispensingRecords.orderId')
    .limit(2)
    .execute()

/** The oldest records of orders that were shipped before this time. */
export const listExpiredRecords = (
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<RecordRow[]> =>
  selectRows(db)
    .where('dispensedAt', '<', before)
    .orderBy('dispensedAt')
    .orderBy('dispensingRecords.orderId')
    .limit(limit)
    .execute()

/** How many records are of orders that were shipped before this time. */
export async function countExpiredRecords(db: Db, before: Date): Promise<number> {
  const { count } = await db
    .selectFrom('dispensingRecords')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('dispensedAt', '<', before)
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes a record and its key. False when another process has. */
export async function deleteRecord(db: Db, orderId: string): Promise<boolean> {
  await db.deleteFrom('recordKeys').where('orderId', '=', orderId).execute()
  const { numDeletedRows } = await db
    .deleteFrom('dispensingRecords')
    .where('orderId', '=', orderId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
