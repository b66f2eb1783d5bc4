import type { Role } from '#domain/accounts/permissions.ts'
import type { AccessResult } from '#domain/accounts/user-rows.ts'
import { AppError } from '#domain/errors.ts'
import { notSuspendedMessage } from '#domain/settings/second-checks.ts'
import { changeAccess, changeAccessOfMany, type Access } from '../accounts/change-access.ts'
import { listTargetPharmacists, type UserTarget } from '../accounts/list-targets.ts'
import { replaceRoles } from '../accounts/set-roles.ts'
import type { Context } from '../context.ts'
import { deleteUser } from '../privacy/delete-user.ts'
import { keepSecondChecks, requireSecondChecksWithout } from './keep-second-checks.ts'

/** `replaceRoles` for an account that may be a pharmacist's. Throws what both throw. */
export const replaceRolesWithChecks = (
  ctx: Context,
  {
    isConfirmed,
    ...change
  }: { userId: string; before: readonly Role[]; roles: readonly Role[]; isConfirmed: boolean },
): Promise<boolean> =>
  change.roles.includes('pharmacist')
    ? replaceRoles(ctx, change)
    : keepSecondChecks(ctx, { userId: change.userId, isConfirmed, permission: 'roles.manage' }, (ctx) =>
        replaceRoles(ctx, change),
      )

/** `deleteUser` for an account that may be a pharmacist's. Throws what both throw. */
export const deleteUserWithChecks = (
  ctx: Context,
  { userId, isConfirmed }: { userId: string; isConfirmed: boolean },
): Promise<void> =>
  keepSecondChecks(ctx, { userId, isConfirmed, permission: 'customers.manage' }, (ctx) =>
    deleteUser(ctx, userId),
  )

/**
 * `changeAccessOfMany` for accounts that may be pharmacists'. Asks before it changes any of them.
 * Throws what it throws, and CONFIRMATION_REQUIRED (isConfirmed).
 */
export async function changeAccessWithChecks(
  ctx: Context,
  { isConfirmed, ...access }: Access & { target: UserTarget; isConfirmed: boolean },
): Promise<AccessResult[]> {
  if (access.change !== 'suspend') return changeAccessOfMany(ctx, access)
  if (!isConfirmed) await requireSecondChecksWithout(ctx, await listTargetPharmacists(ctx, access.target))
  return changeAccessOfMany(ctx, access, (ctx, change) => suspend(ctx, { ...change, isConfirmed }))
}

/** Suspends one of the accounts. Throws CONFLICT when it now needs a confirmation. */
async function suspend(
  ctx: Context,
  { userId, isConfirmed, ...access }: Access & { userId: string; isConfirmed: boolean },
): Promise<boolean> {
  try {
    return await keepSecondChecks(ctx, { userId, isConfirmed, permission: 'customers.manage' }, (ctx) =>
      changeAccess(ctx, { userId, ...access }),
    )
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'CONFIRMATION_REQUIRED') throw error
    // Another admin removed a pharmacist after the check of all accounts. A row can't ask.
    throw new AppError('CONFLICT', notSuspendedMessage, { cause: error })
  }
}
