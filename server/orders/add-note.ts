import { insertOrderNote } from '#db/orders/order-notes.ts'
import { lockUser } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import type { NewNote } from '#domain/orders/admin-orders.ts'
import { requirePermission } from '../require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { findOrder, orderNotFound } from './find-order.ts'
import { sealNote } from './sealed-note.ts'

/**
 * Adds a note for admins to an order, once however often it is sent. Throws UNAUTHENTICATED,
 * FORBIDDEN, NOT_FOUND.
 */
export async function addNote(ctx: Context, { id, text, requestKey }: NewNote): Promise<void> {
  const { id: authorId } = requirePermission(ctx, 'orders.note')
  const { userId } = await findOrder(ctx, id)
  await inTransaction(ctx, async (ctx) => {
    // A concurrent deletion of the customer either deletes this note too or has already finished.
    if (!(await lockUser(ctx.db, userId))) throw new AppError('NOT_FOUND', orderNotFound)
    const noteId = requestKey ?? newId(ctx.now.getTime())
    const sealedNote = sealNote(ctx.keys, noteId, text)
    const note = { id: noteId, orderId: id, authorId, sealedNote, createdAt: ctx.now }
    if (!(await insertOrderNote(ctx.db, note))) return
    await recordAudit(ctx, { action: 'order.noted', subjectId: userId, objectId: id })
  })
}
