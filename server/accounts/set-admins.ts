import { withAdmin } from '#domain/accounts/permissions.ts'
import { findUserRows, listMatchingUserRows, type SealedUserRow } from '#db/accounts/user-rows.ts'
import { nameOrEmail } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { maxRoleChanges, type RoleResult, type UserQuery } from '#domain/accounts/user-rows.ts'
import { recordReads } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { toRowError } from '../grids/to-row-error.ts'
import { searchTokens } from './find-customers.ts'
import { openUserRow } from './list-users-page.ts'
import { userNotFound } from './lock-actor.ts'
import { requirePermission } from '../require-user.ts'
import { requireRecentCode } from './recent-code.ts'
import { setRoles } from './set-roles.ts'

/** Whose role changes: accounts by their ids, or all that a search and filters match. */
export type RoleTarget = { ids: readonly string[] } | { query: UserQuery }

/**
 * Grants or removes the admin role of several accounts, each in its own transaction. An error is
 * reported with the account it concerns. Throws UNAUTHENTICATED, FORBIDDEN, and INVALID when more
 * than `maxRoleChanges` accounts match.
 */
export async function setAdmins(
  ctx: Context,
  { target, isAdmin }: { target: RoleTarget; isAdmin: boolean },
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

/** The targets with their names. The read is audited for each of them. */
async function listTargets(ctx: Context, target: RoleTarget): Promise<{ id: string; name: string }[]> {
  const rows = await findTargetRows(ctx, target)
  await recordReads(ctx, { action: 'account.listed', subjectIds: rows.map(({ id }) => id) })
  const names = new Map(rows.map((row) => [row.id, nameOrEmail(openUserRow(ctx, row))]))
  const ids = 'ids' in target ? new Set(target.ids) : names.keys()
  return [...ids].map((id) => ({ id, name: names.get(id) ?? userNotFound }))
}

async function findTargetRows(ctx: Context, target: RoleTarget): Promise<SealedUserRow[]> {
  if ('ids' in target) return findUserRows(ctx.db, [...new Set(target.ids)].filter(isId))
  const rows = await listMatchingUserRows(ctx.db, {
    role: target.query.role,
    tokens: await searchTokens(ctx, target.query.q, 'current'),
    limit: maxRoleChanges + 1,
  })
  if (rows.length <= maxRoleChanges) return rows
  throw new AppError('INVALID', `Select at most ${maxRoleChanges.toLocaleString('en-US')} users at once.`)
}
