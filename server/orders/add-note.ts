import { insertOrderNote } from '#db/orders.ts'
import { newId } from '#domain/ids.ts'
import { requireAdmin } from '../accounts/require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { findOrder } from './find-order.ts'
import { sealNote } from './sealed-note.ts'

/** Writes down something about an order, for other admins to read. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND. */
export async function addNote(ctx: Context, { id, text }: { id: string; text: string }): Promise<void> {
  const { id: authorId } = requireAdmin(ctx)
  const { userId } = await findOrder(ctx, id)
  await inTransaction(ctx, async (ctx) => {
    const noteId = newId(ctx.now.getTime())
    const sealedNote = sealNote(ctx.keys, noteId, text)
    await insertOrderNote(ctx.db, { id: noteId, orderId: id, authorId, sealedNote, createdAt: ctx.now })
    await recordAudit(ctx, { action: 'order.noted', subjectId: userId, objectId: id })
  })
}
