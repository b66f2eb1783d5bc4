import { sql, type Insertable, type Selectable } from 'kysely'
import type { FillStatus } from '#domain/dispensing/dispensing.ts'
import type { Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import type { Schema } from '../schema/schema.ts'

export type FillRow = Selectable<Schema['fills']>

export async function insertFills(db: Db, rows: readonly Insertable<Schema['fills']>[]): Promise<void> {
  if (rows.length > 0) await db.insertInto('fills').values(rows).execute()
}

/** All fills of a user's items, the oldest first. */
export const listFills = (db: Db, userId: string): Promise<FillRow[]> =>
  db
    .selectFrom('fills')
    .innerJoin('prescriptionItems', 'prescriptionItems.id', 'fills.itemId')
    .selectAll('fills')
    .where('prescriptionItems.userId', '=', userId)
    .orderBy('fills.id')
    .execute()

/** The fills of these orders that were not released. */
export const listFillsOfOrders = (db: Db, orderIds: readonly string[]): Promise<FillRow[]> =>
  db
    .selectFrom('fills')
    .selectAll()
    .where(isOneOf(db, 'order_id', sql`${JSON.stringify(orderIds)}`))
    .where('status', '<>', 'released')
    .orderBy('id')
    .execute()

/** The reserved fills of a checkout become its order's. Returns them. */
export const attachFills = (
  db: Db,
  { checkoutId, orderId }: { checkoutId: string; orderId: string },
): Promise<FillRow[]> =>
  db
    .updateTable('fills')
    .set({ orderId })
    .where('checkoutId', '=', checkoutId)
    .where('status', '=', 'reserved')
    .returningAll()
    .execute()

/** Releases the reserved fills of a checkout without an order. */
export async function releaseCheckoutFills(db: Db, checkoutId: string, now: Date): Promise<void> {
  await db
    .updateTable('fills')
    .set({ status: 'released', releasedAt: now })
    .where('checkoutId', '=', checkoutId)
    .where('orderId', 'is', null)
    .where('status', '=', 'reserved')
    .execute()
}

/**
 * Moves an order's fills from one of these states to another, and returns them.
 * @param lineIds only these lines; null for all
 */
export const moveFills = (
  db: Db,
  {
    orderId,
    lineIds = null,
    from,
    to,
    now,
    pharmacistId,
  }: {
    orderId: string
    lineIds?: readonly string[] | null
    from: readonly FillStatus[]
    to: FillStatus
    now: Date
    pharmacistId?: string | undefined
  },
): Promise<FillRow[]> =>
  db
    .updateTable('fills')
    .set({
      status: to,
      ...(to === 'reserved' ? { clearedAt: null, pharmacistId: null } : {}),
      ...(to === 'cleared' ? { clearedAt: now } : {}),
      ...(to === 'dispensed' ? { dispensedAt: now } : {}),
      ...(to === 'released' ? { releasedAt: now } : {}),
      ...(pharmacistId === undefined ? {} : { pharmacistId }),
    })
    .where('orderId', '=', orderId)
    .where('status', 'in', from)
    .$if(lineIds !== null, (query) =>
      query.where(isOneOf(db, 'line_id', sql`${JSON.stringify(lineIds ?? [])}`)),
    )
    .returningAll()
    .execute()

/** Stores the sealed content of a fill. */
export async function updateSealedFill(db: Db, id: string, sealedFill: string): Promise<void> {
  await db.updateTable('fills').set({ sealedFill }).where('id', '=', id).execute()
}

/**
 * Moves the fills that an order's shipment dispensed back to how they were cleared, and returns
 * them.
 */
export const undispenseFills = (
  db: Db,
  { orderId, dispensedAt }: { orderId: string; dispensedAt: Date },
): Promise<FillRow[]> =>
  db
    .updateTable('fills')
    .set({ status: 'cleared', dispensedAt: null })
    .where('orderId', '=', orderId)
    .where('status', '=', 'dispensed')
    .where('dispensedAt', '=', dispensedAt)
    .returningAll()
    .execute()

/** Sets the cleared fills of an item back to `reserved`: a pharmacist must clear them again. */
export async function returnClearedFills(
  db: Db,
  itemId: string,
  { orderId }: { orderId?: string | undefined } = {},
): Promise<void> {
  await db
    .updateTable('fills')
    .set({ status: 'reserved', clearedAt: null, pharmacistId: null })
    .where('itemId', '=', itemId)
    .where('status', '=', 'cleared')
    .$if(orderId !== undefined, (query) => query.where('orderId', '=', orderId ?? ''))
    .execute()
}
