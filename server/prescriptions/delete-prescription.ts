import {
  deletePrescription as deleteRow,
  findPrescription,
  isPrescriptionUsed,
  lockPrescription,
} from '#db/prescriptions/prescriptions.ts'
import { lockUser } from '#db/accounts/users.ts'
import { can } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { usedPrescriptionMessage } from '#domain/prescriptions/prescriptions.ts'
import { notFoundForUser } from '../note-refusal.ts'
import { requireUser } from '../require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { discardFile } from '../files/register-file.ts'

/**
 * Deletes one of the signed-in user's prescriptions and discards its file. Throws UNAUTHENTICATED;
 * FORBIDDEN for a reviewer who does not own it; NOT_FOUND when it is missing or another user's;
 * CONFLICT when an order or one of its lines uses it: the record of what was dispensed would go.
 */
export async function deletePrescription(ctx: Context, id: string): Promise<void> {
  const user = requireUser(ctx)
  if (!isId(id)) throw new AppError('NOT_FOUND')
  await inTransaction(ctx, async (ctx) => {
    await lockUser(ctx.db, user.id)
    // A concurrent order either commits first or finds the prescription deleted.
    await lockPrescription(ctx.db, id, 'delete')
    const isUsed = await isPrescriptionUsed(ctx.db, id)
    if (isUsed && (await findPrescription(ctx.db, id))?.userId === user.id) {
      throw new AppError('CONFLICT', usedPrescriptionMessage)
    }
    const fileId = await deleteRow(ctx.db, { id, userId: user.id })
    if (fileId === null) {
      const belongsToAnotherUser =
        can(user, 'prescriptions.review') && (await findPrescription(ctx.db, id)) !== null
      const refusal = notFoundForUser(ctx, id)
      throw belongsToAnotherUser
        ? new AppError('FORBIDDEN', 'Only the customer who uploaded a prescription can delete it.')
        : refusal
    }
    await discardFile(ctx, fileId)
    await recordAudit(ctx, { action: 'prescription.deleted', subjectId: user.id, objectId: id })
  })
}
