import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

export async function insertOrderNote(db: Db, note: Schema['orderNotes']): Promise<void> {
  await db.insertInto('orderNotes').values(note).execute()
}

/** The notes on all orders of a user, oldest first. */
export const listUserOrderNotes = (db: Db, userId: string): Promise<Schema['orderNotes'][]> =>
  db
    .selectFrom('orderNotes')
    .selectAll()
    .where('orderId', 'in', (eb) => eb.selectFrom('orders').select('id').where('userId', '=', userId))
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
  db.selectFrom('orderNotes').selectAll().where('orderId', '=', orderId).orderBy('id').execute()
