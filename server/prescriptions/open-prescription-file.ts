import { findPrescription } from '#db/prescriptions/prescriptions.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { requireUser } from '../require-user.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { openFile, type OpenFile } from '../files/open-file.ts'

/** The file of a prescription, for its owner and for admins. Throws UNAUTHENTICATED; NOT_FOUND when it is missing or another's. */
export async function openPrescriptionFile(ctx: Context, id: string): Promise<OpenFile> {
  const user = requireUser(ctx)
  const row = isId(id) ? await findPrescription(ctx.db, id) : null
  if (!row || (row.userId !== user.id && !user.mayAdminister)) throw new AppError('NOT_FOUND')
  await recordRead(ctx, { action: 'prescription.file-read', subjectId: row.userId, objectId: id })
  return openFile(ctx, row.fileId, row.userId)
}
