import { findRoles } from '#db/accounts/users.ts'
import {
  formatRoles,
  listRoles,
  permissionsOf,
  type Role,
  type RoleEdit,
} from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { StaleEditError } from '#domain/stale-edit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { lockActorAndUser, userNotFound } from './lock-actor.ts'
import { requireRecentCode } from './recent-code.ts'
import { reportCreations } from './report-creations.ts'
import { storeRoles } from './store-roles.ts'

/** Staff cannot change their own roles, so at least one admin always remains. */
export const ownRoleMessage = 'You can’t change your own role. Ask another admin.'

/**
 * Changes an account's roles. Returns false when nothing changes. Throws UNAUTHENTICATED,
 * FORBIDDEN, CODE_REQUIRED, NOT_FOUND, and CONFLICT for the caller's own roles.
 */
export async function setRoles(
  ctx: Context,
  { userId, edit }: { userId: string; edit: RoleEdit },
): Promise<boolean> {
  requirePermission(ctx, 'roles.manage')
  return inTransaction(ctx, (ctx) => changeRoles(ctx, { userId, edit }))
}

/**
 * Replaces the roles that an admin saw. Throws what `setRoles` throws, and CONFLICT with
 * the current roles when the account holds others by now: a role that someone else took away would
 * come back.
 */
export const replaceRoles = (
  ctx: Context,
  { userId, before, roles }: { userId: string; before: readonly Role[]; roles: readonly Role[] },
): Promise<boolean> =>
  setRoles(ctx, {
    userId,
    edit: (held) => {
      if (formatRoles(held) !== formatRoles(before)) {
        const sentence = `Someone else changed this account’s roles to ${listRoles(held)}. Check the roles and save again.`
        throw new StaleEditError(sentence, { roles: held })
      }
      return [...roles]
    },
  })

/** The same, in the caller's transaction. */
export async function changeRoles(
  ctx: Context,
  { userId, edit }: { userId: string; edit: RoleEdit },
): Promise<boolean> {
  const actor = requirePermission(ctx, 'roles.manage')
  requireRecentCode(ctx)
  await lockActorAndUser(ctx, userId, 'roles.manage')
  const held = await findRoles(ctx.db, userId)
  if (!held) throw new AppError('NOT_FOUND', userNotFound)
  const roles = edit(held)
  if (formatRoles(roles) === formatRoles(held)) return false
  if (userId === actor.id) throw new AppError('CONFLICT', ownRoleMessage)
  await storeRoles(ctx, { userId, before: held, after: roles })
  if (mayCreateKeys(held) && !mayCreateKeys(roles)) await reportCreations(ctx, { userId, event: 'roles' })
  return true
}

/** Whether these roles may create API keys and webhooks. */
const mayCreateKeys = (roles: readonly Role[]): boolean => permissionsOf(roles).includes('settings.write')
