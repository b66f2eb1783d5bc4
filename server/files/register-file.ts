import { findRegistration, markAllDiscarded, markDiscarded, markRegistered } from '#db/files/files.ts'
import { AppError } from '#domain/errors.ts'
import { parseFileReference } from '#domain/files/files.ts'
import { noteRefusal } from '../note-refusal.ts'
import { requireUser } from '../require-user.ts'
import type { Context } from '../context.ts'
import { requestErasure } from '../crypto/request-erasure.ts'

/**
 * Registers an uploaded file as the one that the caller's row references, in the caller's
 * transaction. Nothing is fetched: the reference must be one that we issued to this user.
 * @param field the reference's name on the wire
 * @throws AppError INVALID on that field for any other value, CONFLICT when the file is already
 * registered
 */
export async function registerFile(
  ctx: Context,
  reference: string,
  field: 'fileUrl' | 'idDocumentURL',
): Promise<{ fileId: string }> {
  const { id: userId } = requireUser(ctx)
  const fileId = parseFileReference(reference)
  if (fileId !== null && (await markRegistered(ctx.db, { id: fileId, userId, now: ctx.now })))
    return { fileId }
  const registration = fileId === null ? null : await findRegistration(ctx.db, { id: fileId, userId })
  if (registration?.isRegistered)
    throw new AppError('CONFLICT', 'This file is already in use. Upload it again.')
  if (fileId !== null) noteRefusal(ctx, fileId)
  const sentence = `${field} must be the url that an upload returned.`
  throw new AppError('INVALID', sentence, { fields: { [field]: sentence } })
}

/**
 * Discards a file that nothing references anymore, in the caller's transaction; the sweep deletes
 * its bytes, then its row.
 */
export async function discardFile(ctx: Context, fileId: string): Promise<void> {
  await markDiscarded(ctx.db, { id: fileId, now: ctx.now })
  await requestErasure(ctx, 'value')
}

/** Discards all of a user's uploads, in the transaction that deletes the user. */
export const discardUserFiles = (ctx: Context, userId: string): Promise<void> =>
  markAllDiscarded(ctx.db, { userId, now: ctx.now })
