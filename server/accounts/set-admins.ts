import { findUserRows, listMatchingUserRows } from '#db/user-rows.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { maxRoleChanges, type RoleResult, type UserQuery } from '#domain/user-rows.ts'
import type { Context } from '../context.ts'
import { toAppError } from '../errors.ts'
import { tokensOfSearch } from './find-people.ts'
import { openUserRow } from './list-users-page.ts'
import { userNotFound } from './lock-actor.ts'
import { requireAdmin } from './require-user.ts'
import { setAdmin } from './set-admin.ts'

/** Whose role is to change: accounts by their ids, or all that a search and filters match. */
export type RoleTarget = { ids: readonly string[] } | { query: UserQuery }

/**
 * Makes some accounts admins, or no longer; each for itself, and what stands against one is told of that one. Throws UNAUTHENTICATED,
 * FORBIDDEN, and INVALID when more match than may change at once.
 */
export async function setAdmins(
  ctx: Context,
  { target, isAdmin }: { target: RoleTarget; isAdmin: boolean },
): Promise<RoleResult[]> {
  requireAdmin(ctx)
  const results: RoleResult[] = []
  for (const { id, name } of await namesOf(ctx, target)) {
    try {
      results.push({ id, name, isChanged: await setAdmin(ctx, { userId: id, isAdmin }), error: null })
    } catch (error) {
      const { code, message } = toAppError(error)
      if (code === 'INTERNAL') throw error
      results.push({ id, name, isChanged: false, error: message })
    }
  }
  return results
}

async function namesOf(ctx: Context, target: RoleTarget): Promise<{ id: string; name: string }[]> {
  if ('ids' in target) {
    const names = new Map(
      (await findUserRows(ctx.db, target.ids.filter(isId))).map((row) => [row.id, nameOf(ctx, row)]),
    )
    return [...new Set(target.ids)].map((id) => ({ id, name: names.get(id) ?? userNotFound }))
  }
  const rows = await listMatchingUserRows(ctx.db, {
    role: target.query.role,
    tokens: await tokensOfSearch(ctx, target.query.q),
    limit: maxRoleChanges + 1,
  })
  if (rows.length > maxRoleChanges) {
    throw new AppError(
      'INVALID',
      `Please choose at most ${maxRoleChanges.toLocaleString('en-US')} users at once.`,
    )
  }
  return rows.map((row) => ({ id: row.id, name: nameOf(ctx, row) }))
}

function nameOf(ctx: Context, row: Parameters<typeof openUserRow>[1]): string {
  const { firstName, lastName, email } = openUserRow(ctx, row)
  return [firstName, lastName].filter(Boolean).join(' ') || email
}
