import { findPharmacistLicense, listLicensedPharmacists } from '#db/accounts/pharmacist-licenses.ts'
import { lockSetting } from '#db/settings/settings.ts'
import type { Permission } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { lostChecksMessage, lostChecksQuestion, neededPharmacists } from '#domain/settings/second-checks.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { getSecondChecks } from './count-second-checks.ts'

/**
 * Runs a change after which a user can no longer do second checks. Asks before it runs: a deletion
 * locks all orders of its account. Throws what the change throws, and CONFIRMATION_REQUIRED
 * (isConfirmed) when prescription orders would stop shipping and the admin has not confirmed it.
 * @param permission what the change needs
 */
export const keepSecondChecks = <Result>(
  ctx: Context,
  { userId, isConfirmed, permission }: { userId: string; isConfirmed: boolean; permission: Permission },
  change: (ctx: Context) => Promise<Result>,
): Promise<Result> =>
  inTransaction(ctx, async (ctx) => {
    // A user without a license is not counted.
    if (!isId(userId) || !(await findPharmacistLicense(ctx.db, userId))) return change(ctx)
    // Two admins at once: each would count the other's pharmacist. Before any user is locked.
    await lockSetting(ctx.db, 'twoPharmacists')
    if (!isConfirmed) {
      requirePermission(ctx, permission)
      await requireSecondChecksWithout(ctx, [userId])
    }
    return change(ctx)
  })

/** Throws CONFIRMATION_REQUIRED when too few pharmacists would be left without these users. */
export async function requireSecondChecksWithout(ctx: Context, userIds: readonly string[]): Promise<void> {
  // None of these changes is possible for the admin's own account.
  const lost = userIds.filter((id) => id !== ctx.user?.id)
  const checks = lost.length === 0 ? null : await getSecondChecks(ctx)
  if (!checks || checks.pharmacists < neededPharmacists) return
  const left = (await listLicensedPharmacists(ctx.db)).filter((id) => !lost.includes(id))
  if (left.length >= neededPharmacists) return
  const fields = { isConfirmed: lostChecksMessage }
  throw new AppError('CONFIRMATION_REQUIRED', lostChecksQuestion, { fields })
}
