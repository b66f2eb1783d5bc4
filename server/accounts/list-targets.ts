import { findUserRows, listMatchingUserRows, type SealedUserRow } from '#db/accounts/user-rows.ts'
import { nameOrEmail } from '#domain/accounts/accounts.ts'
import { parseRoles } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { maxRoleChanges, type UserQuery } from '#domain/accounts/user-rows.ts'
import { recordReads } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { searchTokens } from './find-customers.ts'
import { openUserRow } from './list-users-page.ts'
import { userNotFound } from './lock-actor.ts'

/** What a bulk change is for: accounts by their ids, or all that a search and filters match. */
export type UserTarget = { ids: readonly string[] } | { query: UserQuery }

/**
 * The targets with their names. The read is audited for each of them. Throws INVALID when more than
 * `maxRoleChanges` accounts match.
 */
export async function listTargets(ctx: Context, target: UserTarget): Promise<{ id: string; name: string }[]> {
  const rows = await findTargetRows(ctx, target)
  await recordReads(ctx, { action: 'account.listed', subjectIds: rows.map(({ id }) => id) })
  const names = new Map(rows.map((row) => [row.id, nameOrEmail(openUserRow(ctx, row))]))
  const ids = 'ids' in target ? new Set(target.ids) : names.keys()
  return [...ids].map((id) => ({ id, name: names.get(id) ?? userNotFound }))
}

/**
 * The targets that are pharmacists, by id. Reads no names. Throws UNAUTHENTICATED, FORBIDDEN, and
 * INVALID when more than `maxRoleChanges` accounts match.
 */
export async function listTargetPharmacists(ctx: Context, target: UserTarget): Promise<string[]> {
  requirePermission(ctx, 'customers.manage')
  const rows = await findTargetRows(ctx, target)
  return rows.filter(({ roles }) => parseRoles(roles).includes('pharmacist')).map(({ id }) => id)
}

async function findTargetRows(ctx: Context, target: UserTarget): Promise<SealedUserRow[]> {
  if ('ids' in target) return findUserRows(ctx.db, [...new Set(target.ids)].filter(isId))
  const rows = await listMatchingUserRows(ctx.db, {
    role: target.query.role,
    status: target.query.status,
    tokens: await searchTokens(ctx, target.query.q, 'current'),
    limit: maxRoleChanges + 1,
  })
  if (rows.length <= maxRoleChanges) return rows
  throw new AppError('INVALID', `Select at most ${maxRoleChanges.toLocaleString('en-US')} users at once.`)
}
