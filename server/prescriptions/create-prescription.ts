import {
  findPrescription,
  insertPrescription,
  takePrescriptionNumber,
} from '#db/prescriptions/prescriptions.ts'
import { findIdDocument, lockUser } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { isId, newId } from '#domain/ids.ts'
import {
  detailsErrors,
  idDocumentRequiredMessage,
  type Prescription,
  type PrescriptionDetails,
} from '#domain/prescriptions/prescriptions.ts'
import { findCurrentPatient } from '#db/patients/patients.ts'
import { requireUser } from '../require-user.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { registerFile } from '../files/register-file.ts'
import { openPrescription, sealDetails } from './sealed-prescription.ts'

export type NewPrescription = PrescriptionDetails & {
  /** The reference that the upload of its file returned. */
  fileUrl: string
  /** Whom it is for; the customer when omitted. */
  patientId?: string | undefined
}

/**
 * Creates a prescription of the signed-in user or of someone they care for, under review. Throws
 * UNAUTHENTICATED, INVALID (fileUrl, prescriptionDate, patientId), and CONFLICT when the file is
 * already in use, no ID document is on file, or the form has created one with other details.
 * @param formId identifies the submitted form: submitting it again returns the same prescription,
 * also with another copy of its file
 */
export async function createPrescription(
  ctx: Context,
  { fileUrl, patientId, ...details }: NewPrescription,
  formId: string = newId(ctx.now.getTime()),
): Promise<Prescription> {
  const user = requireUser(ctx)
  const fields = detailsErrors(ctx.now, details)
  if (Object.keys(fields).length > 0) throw new AppError('INVALID', undefined, { fields })
  if (!isId(formId)) throw new AppError('BAD_REQUEST')
  return inTransaction(ctx, async (ctx) => {
    // Serializes two forms of the same user.
    const userExists = await lockUser(ctx.db, user.id)
    const key = await openUserKey(ctx, user.id)
    if (!userExists || !key) throw new AppError('NOT_FOUND')
    const existing = await findPrescription(ctx.db, formId)
    if (existing?.userId === user.id) {
      const stored = openPrescription(key, existing, ctx.now)
      const sent = { ...details, patientId: chosenDependant(user.id, patientId) }
      const isSame = Object.entries(sent).every(
        ([name, value]) => value === stored[name as keyof typeof sent],
      )
      if (isSame) return stored
      throw new AppError(
        'CONFLICT',
        'You’ve already uploaded this prescription. To change it, delete it and upload it again.',
      )
    }
    if (existing) throw new AppError('BAD_REQUEST')

    const dependantId = await findDependant(ctx, user.id, patientId)
    const { fileId } = await registerFile(ctx, fileUrl, 'fileUrl')
    if ((await findIdDocument(ctx.db, user.id)) === null)
      throw new AppError('CONFLICT', idDocumentRequiredMessage)
    const row = {
      id: formId,
      number: await takePrescriptionNumber(ctx.db),
      userId: user.id,
      patientId: dependantId,
      fileId,
      sealedDetails: sealDetails(key, formId, { ...details, statusReason: null }),
      sealedTranscription: null,
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

/** Null for the customer. */
const chosenDependant = (userId: string, patientId: string | undefined): string | null =>
  patientId === undefined || patientId === '' || patientId === userId ? null : patientId

/** The chosen dependant; null for the customer. Throws INVALID for anyone else. */
async function findDependant(
  ctx: Context,
  userId: string,
  patientId: string | undefined,
): Promise<string | null> {
  const id = chosenDependant(userId, patientId)
  if (id === null) return null
  const row = await findCurrentPatient(ctx.db, { id, userId })
  if (!row) {
    throw new AppError('INVALID', undefined, { fields: { patientId: 'Choose one of the people listed.' } })
  }
  return row.id
}
