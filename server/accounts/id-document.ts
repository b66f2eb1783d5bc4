import { findIdDocument, findProfile, lockUser, setIdDocument } from '#db/accounts/users.ts'
import { can, lacksRequiredFactor, missingFactorMessage } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { recordAudit, recordRead } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { openFile, type OpenedFile } from '../files/open-file.ts'
import { discardFile, registerFile } from '../files/register-file.ts'
import { openPerson, type Person } from './get-profile.ts'
import { notFoundForUser } from '../note-refusal.ts'
import { requireRecordAccess } from './record-access.ts'
import { requireUser } from '../require-user.ts'
import { openUserKey } from '../crypto/user-key.ts'

/**
 * Makes an uploaded file the signed-in user's ID document and discards the previous one. Returns
 * the updated profile. Throws UNAUTHENTICATED, and INVALID on `idDocumentURL` or CONFLICT as
 * `registerFile` does.
 */
export async function replaceIdDocument(ctx: Context, idDocumentURL: string): Promise<Person> {
  const { id } = requireUser(ctx)
  return inTransaction(ctx, async (ctx) => {
    await lockUser(ctx.db, id)
    const row = await findProfile(ctx.db, id)
    const key = await openUserKey(ctx, id)
    // Deleted since the session was read.
    if (!row || !key) throw new AppError('UNAUTHENTICATED')
    const { fileId } = await registerFile(ctx, idDocumentURL, 'idDocumentURL')
    await setIdDocument(ctx.db, { id, fileId, now: ctx.now })
    if (row.idDocumentFileId !== null) await discardFile(ctx, row.idDocumentFileId)
    await recordAudit(ctx, { action: 'id-document.replaced', subjectId: id, objectId: fileId })
    return openPerson(key, { ...row, idDocumentFileId: fileId })
  })
}

/**
 * Opens a user's ID document, for that user or staff who may read health data. The read is
 * audited. Throws UNAUTHENTICATED, and NOT_FOUND for any other user or when there is none.
 */
export async function openIdDocument(ctx: Context, userId: string): Promise<OpenedFile> {
  const user = requireUser(ctx)
  if (user.id !== userId && !can(user, 'health.read')) {
    throw lacksRequiredFactor(user)
      ? new AppError('FORBIDDEN', missingFactorMessage)
      : notFoundForUser(ctx, userId)
  }
  await requireRecordAccess(ctx, userId)
  const fileId = isId(userId) ? await findIdDocument(ctx.db, userId) : null
  if (fileId === null) throw new AppError('NOT_FOUND')
  await recordRead(ctx, { action: 'id-document.read', subjectId: userId, objectId: fileId })
  return openFile(ctx, fileId, userId)
}
