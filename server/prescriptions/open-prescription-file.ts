import { findPrescription } from '#db/prescriptions/prescriptions.ts'
import { can } from '#domain/accounts/permissions.ts'
import { isId } from '#domain/ids.ts'
import { requireRecordAccess } from '../accounts/record-access.ts'
import { notFoundForUser } from '../note-refusal.ts'
import { requireUser } from '../require-user.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { openFile, type OpenedFile } from '../files/open-file.ts'

/**
 * Opens a prescription's file, for its owner or staff who may read health data. Throws
 * UNAUTHENTICATED, and NOT_FOUND when it is missing or another user's.
 */
export async function openPrescriptionFile(ctx: Context, id: string): Promise<OpenedFile> {
  const user = requireUser(ctx)
  const row = isId(id) ? await findPrescription(ctx.db, id) : null
  if (!row || (row.userId !== user.id && !can(user, 'health.read'))) throw notFoundForUser(ctx, id)
  await requireRecordAccess(ctx, row.userId)
  await recordRead(ctx, { action: 'prescription.file-read', subjectId: row.userId, objectId: id })
  return openFile(ctx, row.fileId, row.userId)
}
