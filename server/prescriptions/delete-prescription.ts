import { isPrescriptionUsed } from '#db/orders/orders.ts'
import { deletePrescription as deleteRow, findPrescription, lockPrescription } from '#db/prescriptions/prescriptions.ts'
import { lockUser } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { requireUser } from '../require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { discardFile } from '../files/register-file.ts'

/**
 * Deletes a prescription of one's own and gives its file to the sweep. Throws UNAUTHENTICATED; FORBIDDEN to an admin, whose it is
 * not; NOT_FOUND when it is missing or another's; CONFLICT when an order uses it, for that is what it was sold on.
 */
export async function deletePrescription(ctx: Context, id: string): Promise<void> {
  const user = requireUser(ctx)
  if (!isId(id)) throw new AppError('NOT_FOUND')
  await inTransaction(ctx, async (ctx) => {
    await lockUser(ctx.db, user.id)
    // An order that is on its way to use it comes first, or finds it gone.
    await lockPrescription(ctx.db, id, 'delete')
    const isUsed = await isPrescriptionUsed(ctx.db, id)
    if (isUsed && (await findPrescription(ctx.db, id))?.userId === user.id) {
      throw new AppError('CONFLICT', 'An order uses this prescription, so it is kept.')
    }
    const fileId = await deleteRow(ctx.db, { id, userId: user.id })
    if (fileId === null) {
      const isAnothers = user.mayAdminister && (await findPrescription(ctx.db, id)) !== null
      throw isAnothers
        ? new AppError('FORBIDDEN', 'Only its owner may delete a prescription.')
        : new AppError('NOT_FOUND')
    }
    await discardFile(ctx, fileId)
    await recordAudit(ctx, { action: 'prescription.deleted', subjectId: user.id, objectId: id })
  })
}
