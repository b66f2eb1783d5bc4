import { findPrescription, insertPrescription } from '#db/prescriptions/prescriptions.ts'
import { findIdDocument, lockUser } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { isId, newId } from '#domain/ids.ts'
import {
  detailsProblems,
  idDocumentRequired,
  type Prescription,
  type PrescriptionDetails,
} from '#domain/prescriptions/prescriptions.ts'
import { requireUser } from '../require-user.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { registerFile } from '../files/register-file.ts'
import { openPrescription, sealDetails } from './sealed-prescription.ts'

export type NewPrescription = PrescriptionDetails & {
  /** The reference that the upload of its file answered. */
  fileUrl: string
}

/**
 * Adds a prescription, under review, to one's own. Throws UNAUTHENTICATED, INVALID (fileUrl, prescriptionDate), and CONFLICT when
 * the file is in use already or there is no ID document on file.
 * @param formId an id that names the form it comes from: the same form sent again answers what it made
 */
export async function createPrescription(
  ctx: Context,
  { fileUrl, ...details }: NewPrescription,
  formId: string = newId(ctx.now.getTime()),
): Promise<Prescription> {
  const user = requireUser(ctx)
  const fields = detailsProblems(ctx.now, details)
  if (Object.keys(fields).length > 0) throw new AppError('INVALID', undefined, { fields })
  if (!isId(formId)) throw new AppError('BAD_REQUEST')
  return inTransaction(ctx, async (ctx) => {
    // Two forms of one user come one after the other.
    const isThere = await lockUser(ctx.db, user.id)
    const key = await openUserKey(ctx, user.id)
    if (!isThere || !key) throw new AppError('NOT_FOUND')
    const made = await findPrescription(ctx.db, formId)
    if (made?.userId === user.id) return openPrescription(key, made, ctx.now)
    if (made) throw new AppError('BAD_REQUEST')

    const { fileId } = await registerFile(ctx, fileUrl, 'fileUrl')
    if ((await findIdDocument(ctx.db, user.id)) === null) throw new AppError('CONFLICT', idDocumentRequired)
    const row = {
      id: formId,
      userId: user.id,
      fileId,
      sealedDetails: sealDetails(key, formId, { ...details, statusReason: null }),
      status: 'under_review',
      decidedBy: null,
      decidedAt: null,
      version: 1,
      uploadedAt: ctx.now,
    } as const
    await insertPrescription(ctx.db, row)
    await recordAudit(ctx, { action: 'prescription.created', subjectId: user.id, objectId: formId })
    return openPrescription(key, { ...row, orderId: null }, ctx.now)
  })
}
