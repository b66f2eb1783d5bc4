import { findCurrentPatient } from '#db/patients/patients.ts'
import * as checkoutMessages from '#domain/checkout/checkout-messages.ts'
import { isUsableAtCheckout } from '#domain/checkout/checkout.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import { readPrescription } from '../prescriptions/prescription-reader.ts'
import { noteRefusal } from '../note-refusal.ts'

/**
 * Whether an order of this user may name this prescription: their own, approved or still under
 * review, not expired (settled decisions, "Prescription status"), and not for a dependant whom they
 * removed. Throws INVALID (prescriptionId) with the documented words otherwise.
 */
export async function requireUsablePrescription(
  ctx: Pick<Context, 'db' | 'keys' | 'now' | 'user' | 'refusals'>,
  userId: string,
  prescriptionId: string | null,
): Promise<void> {
  const prescription =
    prescriptionId !== null && isId(prescriptionId) ? await readPrescription(ctx, prescriptionId) : null
  if (prescription && prescription.userId !== userId) noteRefusal(ctx, prescription.id)
  const own = prescription?.userId === userId ? prescription : null
  const isForCurrent =
    own && (own.patientId === null || (await findCurrentPatient(ctx.db, { id: own.patientId, userId })))
  if (isForCurrent && isUsableAtCheckout(own.status)) return
  throw new AppError('INVALID', undefined, {
    fields: { prescriptionId: checkoutMessages.choosePrescription },
  })
}
