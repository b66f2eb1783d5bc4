import { withAdmin } from '#domain/accounts/permissions.ts'
import type { RoleResult } from '#domain/accounts/user-rows.ts'
import type { Context } from '../context.ts'
import { toRowError } from '../grids/to-row-error.ts'
import { requirePermission } from '../require-user.ts'
import { listTargets, type UserTarget } from './list-targets.ts'
import { requireRecentCode } from './recent-code.ts'
import { setRoles } from './set-roles.ts'

/**
 * Grants or removes the admin role of several accounts, each in its own transaction. An error is
 * reported with the account it concerns. Throws UNAUTHENTICATED, FORBIDDEN, and INVALID when more
 * than `maxRoleChanges` accounts match.
 */
export async function setAdmins(
  ctx: Context,
  { target, isAdmin }: { target: UserTarget; isAdmin: boolean },
): Promise<RoleResult[]> {
  requirePermission(ctx, 'roles.manage')
  requireRecentCode(ctx)
  const results: RoleResult[] = []
  for (const { id, name } of await listTargets(ctx, target)) {
    let isChanged = false
    const change = setRoles(ctx, { userId: id, edit: withAdmin(isAdmin) }).then(
      (changed) => (isChanged = changed),
    )
    const error = await toRowError(ctx, change)
    results.push({ id, name, error, isChanged })
  }
  return results
}
