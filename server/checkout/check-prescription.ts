import { findPrescription } from '#db/prescriptions/prescriptions.ts'
import { checkoutWords } from '#domain/checkout/checkout-messages.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { openUserKey } from '../crypto/user-key.ts'
import type { Context } from '../context.ts'
import { openPrescription } from '../prescriptions/sealed-prescription.ts'

/**
 * Whether an order of this user may name this prescription: their own, approved or still under review, not expired (decisions,
 * "Prescription status"). Throws INVALID (prescriptionId) with the documented words otherwise.
 */
export async function requirePrescription(
  ctx: Pick<Context, 'db' | 'keys' | 'now'>,
  userId: string,
  prescriptionId: string | null,
): Promise<void> {
  const row =
    prescriptionId !== null && isId(prescriptionId) ? await findPrescription(ctx.db, prescriptionId) : null
  const key = row?.userId === userId ? await openUserKey(ctx, userId) : null
  const status = row && key && openPrescription(key, row, ctx.now).status
  if (status === 'approved' || status === 'under_review') return
  throw new AppError('INVALID', undefined, {
    fields: { prescriptionId: checkoutWords.choosePrescription },
  })
}
