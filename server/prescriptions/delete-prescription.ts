import { deletePrescription as deleteRow, findPrescription } from '#db/prescriptions.ts'
import { lockUser } from '#db/users.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { requireUser } from '../accounts/require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { discardFile } from '../files/register-file.ts'

/**
 * Deletes a prescription of one's own and gives its file to the sweep. Throws UNAUTHENTICATED; FORBIDDEN to an admin, whose it is
 * not; NOT_FOUND when it is missing or another's.
 */
export async function deletePrescription(ctx: Context, id: string): Promise<void> {
  const user = requireUser(ctx)
  if (!isId(id)) throw new AppError('NOT_FOUND')
  await inTransaction(ctx, async (ctx) => {
    await lockUser(ctx.db, user.id)
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
