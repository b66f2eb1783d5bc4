import { hasOpenCase, hasRecordAccess, insertRecordAccess } from '#db/accounts/record-accesses.ts'
import { lockUser } from '#db/accounts/users.ts'
import { can } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { isId, newId } from '#domain/ids.ts'
import { inTransaction, type Context } from '../context.ts'
import { noteRefusal } from '../note-refusal.ts'
import { requirePermission, requireUser } from '../require-user.ts'
import { userNotFound } from './lock-actor.ts'
import { recordAccountEvent } from './record-account-event.ts'

/** How long a reason opens a record. */
const accessMinutes = 60
/** How long a decided prescription counts as an open case, so that a decision can be corrected. */
const decidedHours = 24

/**
 * Whether the signed-in user may read a patient's health data and files: their own, those of a
 * patient with an open case, or after a reason (`openPatientRecord`).
 */
export async function mayReadRecord(ctx: Context, patientId: string): Promise<boolean> {
  const user = requireUser(ctx)
  if (user.id === patientId) return true
  if (!can(user, 'health.read')) return false
  if (can(user, 'health.read-any')) return true
  const decidedSince = new Date(ctx.now.getTime() - decidedHours * 3_600_000)
  return (
    (await hasOpenCase(ctx.db, { patientId, decidedSince })) ||
    (await hasRecordAccess(ctx.db, { staffId: user.id, patientId, now: ctx.now }))
  )
}

/**
 * Checks that the signed-in user may read a patient's health data and files. Throws
 * UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and REASON_REQUIRED when only a reason is missing.
 */
export async function requireRecordAccess(ctx: Context, patientId: string): Promise<void> {
  if (requireUser(ctx).id === patientId) return
  const user = requirePermission(ctx, 'health.read')
  if (can(user, 'health.read-any')) return
  // Postgres accepts no NUL, which a path can contain.
  if (!isId(patientId)) throw new AppError('NOT_FOUND', userNotFound)
  if (await mayReadRecord(ctx, patientId)) return
  noteRefusal(ctx, patientId)
  throw new AppError('REASON_REQUIRED')
}

/**
 * Opens a patient's record for an hour, with a reason that the patient reads in their activity.
 * Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND.
 */
export async function openPatientRecord(
  ctx: Context,
  { patientId, reason }: { patientId: string; reason: string },
): Promise<void> {
  const { id: staffId } = requirePermission(ctx, 'health.read')
  await inTransaction(ctx, async (ctx) => {
    if (!isId(patientId) || !(await lockUser(ctx.db, patientId)))
      throw new AppError('NOT_FOUND', userNotFound)
    await insertRecordAccess(ctx.db, {
      id: newId(ctx.now.getTime()),
      patientId,
      staffId,
      createdAt: ctx.now,
      expiresAt: new Date(ctx.now.getTime() + accessMinutes * 60_000),
    })
    await recordAccountEvent(ctx, { action: 'record.opened', userId: patientId, detail: { reason } })
  })
}
