import { findRegistration, markAllDiscarded, markDiscarded, markRegistered } from '#db/files/files.ts'
import { AppError } from '#domain/errors.ts'
import { fileIdOf } from '#domain/files/files.ts'
import { requireUser } from '../require-user.ts'
import type { Context } from '../context.ts'

/**
 * Takes an uploaded file as what the caller's row names, in the caller's transaction. Nothing is fetched: the reference must be
 * one that we gave to this user.
 * @param field the name on the wire that the reference came under
 * @throws AppError INVALID on that field for any other value, CONFLICT when the file was registered already
 */
export async function registerFile(
  ctx: Context,
  reference: string,
  field: 'fileUrl' | 'idDocumentURL',
): Promise<{ fileId: string }> {
  const { id: userId } = requireUser(ctx)
  const fileId = fileIdOf(reference)
  if (fileId !== null && (await markRegistered(ctx.db, { id: fileId, userId, now: ctx.now })))
    return { fileId }
  const known = fileId === null ? null : await findRegistration(ctx.db, { id: fileId, userId })
  if (known?.isRegistered)
    throw new AppError('CONFLICT', 'This file is in use already. Please upload it again.')
  const sentence = `${field} must be the url that an upload answered.`
  throw new AppError('INVALID', sentence, { fields: { [field]: sentence } })
}

/** Gives up a file that nothing names any longer, in the caller's transaction; the sweep deletes its bytes, then its row. */
export const discardFile = (ctx: Context, fileId: string): Promise<void> =>
  markDiscarded(ctx.db, { id: fileId, now: ctx.now })

/** Gives up everything that a user uploaded, in the transaction that deletes the user. */
export const discardFilesOf = (ctx: Context, userId: string): Promise<void> =>
  markAllDiscarded(ctx.db, { userId, now: ctx.now })
