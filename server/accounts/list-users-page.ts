import { listUserRows, type SealedUserRow } from '#db/accounts/user-rows.ts'
import { parseRoles } from '#domain/accounts/permissions.ts'
import type { GridPage } from '#domain/grid.ts'
import type { UserQuery, UserRow } from '#domain/accounts/user-rows.ts'
import { recordReads } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { searchTokens } from './find-customers.ts'
import { requirePermission } from '../require-user.ts'
import { openEmail, openName } from './sealed-user.ts'
import { unwrapUserKey } from '../crypto/user-key.ts'

/**
 * A page of the accounts for the back office. The read is audited for each of them. Throws
 * UNAUTHENTICATED, FORBIDDEN.
 */
export async function listUsersPage(ctx: Context, query: UserQuery): Promise<GridPage<UserRow>> {
  requirePermission(ctx, 'customers.read')
  const page = await listUserRows(ctx.reads, query, await searchTokens(ctx, query.q, 'current'))
  await recordReads(ctx, { action: 'account.listed', subjectIds: page.rows.map(({ id }) => id) })
  return { ...page, rows: page.rows.map((row) => openUserRow(ctx, row)) }
}

/** Decrypts a row of the list. */
export function openUserRow(ctx: Pick<Context, 'keys'>, row: SealedUserRow): UserRow {
  const { id, wrappedKey, totpConfirmedAt, suspendedAt, orderCount, createdAt } = row
  const key = unwrapUserKey(ctx, id, wrappedKey)
  return {
    id,
    email: openEmail(key, row),
    ...openName(key, row),
    roles: parseRoles(row.roles),
    hasSecondFactor: totpConfirmedAt !== null,
    isSuspended: suspendedAt !== null,
    orderCount,
    createdAt: createdAt.toISOString(),
  }
}
