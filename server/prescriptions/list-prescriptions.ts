import { listPrescriptions as listRows } from '#db/prescriptions/prescriptions.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { Prescription } from '#domain/prescriptions/prescriptions.ts'
import { requireRecordAccess } from '../accounts/record-access.ts'
import { requirePermission, requireUser } from '../require-user.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { openPrescription } from './sealed-prescription.ts'

/** The signed-in user's prescriptions, the newest first. Throws UNAUTHENTICATED. */
export async function listPrescriptions(ctx: Context): Promise<Prescription[]> {
  return listForUser(ctx, requireUser(ctx).id)
}

/**
 * A user's prescriptions, for staff who may read health data. Throws UNAUTHENTICATED, FORBIDDEN,
 * and NOT_FOUND when there is no such user.
 */
export async function listUserPrescriptions(ctx: Context, userId: string): Promise<Prescription[]> {
  requirePermission(ctx, 'health.read')
  await requireRecordAccess(ctx, userId)
  return listForUser(ctx, userId)
}

async function listForUser(ctx: Context, userId: string): Promise<Prescription[]> {
  const key = isId(userId) ? await openUserKey(ctx, userId) : null
  if (!key) throw new AppError('NOT_FOUND')
  await recordRead(ctx, { action: 'prescriptions.read', subjectId: userId })
  return (await listRows(ctx.db, userId)).map((row) => openPrescription(key, row, ctx.now))
}
