import { findPharmacistLicense } from '#db/accounts/pharmacist-licenses.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import { noLicenseMessage } from '#domain/dispensing/dispensing.ts'
import { AppError } from '#domain/errors.ts'
import { ownPrescriptionMessage } from '#domain/prescriptions/prescriptions.ts'
import type { Context } from '../context.ts'
import { noteRefusal } from '../note-refusal.ts'
import { requirePermission } from '../require-user.ts'

/**
 * The signed-in pharmacist, who has a recorded license and is not the patient (docs/dispensing.md,
 * rule 5). Every transcription, clearance and refusal calls this. Throws UNAUTHENTICATED,
 * FORBIDDEN, and CONFLICT for a case of their own.
 * @param patient whose prescription or order it is
 */
export async function requirePharmacist(
  ctx: Context,
  patient: { userId: string | null; objectId: string },
): Promise<SessionUser> {
  const user = requirePermission(ctx, 'prescriptions.clear')
  if ((await findPharmacistLicense(ctx.db, user.id)) === null) {
    noteRefusal(ctx, patient.objectId)
    throw new AppError('FORBIDDEN', noLicenseMessage)
  }
  if (user.id === patient.userId) {
    noteRefusal(ctx, patient.objectId)
    throw new AppError('CONFLICT', ownPrescriptionMessage)
  }
  return user
}
