import { listLicensedPharmacists } from '#db/accounts/pharmacist-licenses.ts'
import type { Role } from '#domain/accounts/permissions.ts'
import type { AccessResult } from '#domain/accounts/user-rows.ts'
import { neededPharmacists } from '#domain/settings/second-checks.ts'
import { changeAccess, changeAccessOfMany, type Access } from '../accounts/change-access.ts'
import { listTargetPharmacists, type UserTarget } from '../accounts/list-targets.ts'
import { replaceRoles } from '../accounts/set-roles.ts'
import type { Context } from '../context.ts'
import { deleteUser } from '../privacy/delete-user.ts'
import { getSecondChecks } from './count-second-checks.ts'
import { keepSecondChecks, unconfirmedLoss } from './keep-second-checks.ts'

/** `replaceRoles` for an account that may be a pharmacist's. Throws what both throw. */
export const replaceAccountRoles = (
  ctx: Context,
  {
    isConfirmed,
    ...change
  }: { userId: string; before: readonly Role[]; roles: readonly Role[]; isConfirmed: boolean },
): Promise<boolean> =>
  keepSecondChecks(ctx, { userId: change.userId, isConfirmed }, (ctx) => replaceRoles(ctx, change))

/** `deleteUser` for an account that may be a pharmacist's. Throws what both throw. */
export const deleteAnyUser = (
  ctx: Context,
  { userId, isConfirmed }: { userId: string; isConfirmed: boolean },
): Promise<void> => keepSecondChecks(ctx, { userId, isConfirmed }, (ctx) => deleteUser(ctx, userId))

/**
 * `changeAccessOfMany` for accounts that may be pharmacists'. Asks before it changes any of them.
 * Throws what it throws, and CONFIRMATION_REQUIRED (isConfirmed).
 */
export async function changeAccounts(
  ctx: Context,
  { isConfirmed, ...access }: Access & { target: UserTarget; isConfirmed: boolean },
): Promise<AccessResult[]> {
  if (access.change !== 'suspend') return changeAccessOfMany(ctx, access)
  if (!isConfirmed) await requireSecondChecksWithout(ctx, access.target)
  return changeAccessOfMany(ctx, access, (ctx, change) =>
    keepSecondChecks(ctx, { userId: change.userId, isConfirmed }, (ctx) => changeAccess(ctx, change)),
  )
}

/** What `keepSecondChecks` asks, for all accounts that a suspension is for. */
async function requireSecondChecksWithout(ctx: Context, target: UserTarget): Promise<void> {
  // The admin's own account is not suspended.
  const lost = (await listTargetPharmacists(ctx, target)).filter((id) => id !== ctx.user?.id)
  const checks = lost.length === 0 ? null : await getSecondChecks(ctx)
  if (!checks || checks.pharmacists < neededPharmacists) return
  const left = (await listLicensedPharmacists(ctx.db)).filter((id) => !lost.includes(id))
  if (left.length < neededPharmacists) throw unconfirmedLoss()
}
