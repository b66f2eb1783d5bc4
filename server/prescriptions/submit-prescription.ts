import { AppError } from '#domain/errors.ts'
import {
  idDocumentRequiredMessage,
  missingFileMessage,
  type Prescription,
  type PrescriptionDetails,
} from '#domain/prescriptions/prescriptions.ts'
import type { Context } from '../context.ts'
import { createPrescription } from './create-prescription.ts'
import { hasIdDocument } from './has-id-document.ts'

export type PrescriptionForm = {
  details: PrescriptionDetails
  /** Whom it is for; the customer when omitted. Empty when the form asked and got no answer. */
  patientId?: string | undefined
  /** The reference of the uploaded file; null when no file was chosen. */
  reference: string | null
  /** Why the file in the form was rejected. */
  refusal: AppError | null
  /** Identifies the submitted form: submitting it again returns the same prescription. */
  formId: string | undefined
}

/**
 * Creates a prescription from a form that may hold a file. A missing ID document is reported before
 * any problem with the file (specification, section 5).
 * Throws what `createPrescription` throws, the refusal, and INVALID (patientId; fileUrl without a
 * file).
 */
export async function submitPrescription(
  ctx: Context,
  { details, patientId, reference, refusal, formId }: PrescriptionForm,
): Promise<Prescription> {
  if (!(await hasIdDocument(ctx))) throw new AppError('CONFLICT', idDocumentRequiredMessage)
  if (patientId === '') {
    throw new AppError('INVALID', undefined, { fields: { patientId: 'Choose a person.' } })
  }
  if (refusal) throw refusal
  if (reference === null) {
    throw new AppError('INVALID', missingFileMessage, { fields: { fileUrl: missingFileMessage } })
  }
  return createPrescription(ctx, { ...details, patientId, fileUrl: reference }, formId)
}
