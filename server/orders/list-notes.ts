import { listUserOrderNotes } from '#db/orders/order-notes.ts'
import type { Context } from '../context.ts'
import { openNote } from './sealed-note.ts'

/** The staff notes on a user's orders, without their authors. */
export async function listNotesOn(
  ctx: Pick<Context, 'db' | 'keys'>,
  userId: string,
): Promise<{ orderId: string; at: Date; text: string }[]> {
  const notes = await listUserOrderNotes(ctx.db, userId)
  return notes.map((note) => ({ orderId: note.orderId, at: note.createdAt, text: openNote(ctx.keys, note) }))
}
