import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

/** Inserts a note. Returns false when there is one with its id. */
export async function insertOrderNote(db: Db, note: Schema['orderNotes']): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('orderNotes')
    .values(note)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The notes on all orders of a user, oldest first. */
export const listUserOrderNotes = (db: Db, userId: string): Promise<Schema['orderNotes'][]> =>
  db
    .selectFrom('orderNotes')
    .selectAll()
    .where('orderId', 'in', (eb) => eb.selectFrom('orders').select('id').where('userId', '=', userId))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** Deletes the notes on all orders of a user. No law requires keeping them with the orders. */
export async function deleteUserOrderNotes(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('orderNotes')
    .where('orderId', 'in', (eb) => eb.selectFrom('orders').select('id').where('userId', '=', userId))
    .execute()
}

/** The notes on an order, oldest first. */
export const listOrderNotes = (db: Db, orderId: string): Promise<Schema['orderNotes'][]> =>
  db
    .selectFrom('orderNotes')
    .selectAll()
    .where('orderId', '=', orderId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
