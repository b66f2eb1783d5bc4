import { findPrescription, type PrescriptionRow } from '#db/prescriptions/prescriptions.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { requireRecordAccess } from '../accounts/record-access.ts'
import { requirePermission } from '../require-user.ts'
import { openUserKey } from '../crypto/user-key.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'

/** A prescription to review. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND. */
export async function getForReview(
  ctx: Context,
  id: string,
): Promise<{ row: PrescriptionRow; key: KeyRing }> {
  requirePermission(ctx, 'prescriptions.review')
  const row = isId(id) ? await findPrescription(ctx.db, id) : null
  const key = row && (await openUserKey(ctx, row.userId))
  if (!row || !key) throw new AppError('NOT_FOUND')
  await requireRecordAccess(ctx, row.userId)
  return { row, key }
}
