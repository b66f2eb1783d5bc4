import { findRoles, listUserNames } from '#db/accounts/users.ts'
import type { PersonName } from '#domain/accounts/accounts.ts'
import { parseRoles } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { recordReads } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { requireRecentCode } from './recent-code.ts'
import { requirePermission } from '../require-user.ts'
import { openEmail, openName } from './sealed-user.ts'
import { unwrapUserKey } from '../crypto/user-key.ts'

/** How many rows are read and decrypted at a time when all are requested. */
const batch = 500

/** An account in a list: its identity, without health data. */
export type UserSummary = PersonName & { id: string; email: string; isAdmin: boolean; createdAt: Date }

type Row = Awaited<ReturnType<typeof listUserNames>>[number]

/** Decrypts a row of the list. */
function openSummary(ctx: Pick<Context, 'keys'>, row: Row): UserSummary {
  const key = unwrapUserKey(ctx, row.id, row.wrappedKey)
  const { id, createdAt } = row
  const isAdmin = parseRoles(row.roles).includes('admin')
  return { id, email: openEmail(key, row), ...openName(key, row), isAdmin, createdAt }
}

/**
 * All accounts, the oldest first, read in batches. The read is audited for each account. Throws
 * UNAUTHENTICATED, FORBIDDEN, CODE_REQUIRED, and INVALID, before the first row, when `after` is not
 * a user's id.
 * @param limit null lists all
 */
export async function listUsers(
  ctx: Context,
  { after, limit }: { after: string | null; limit: number | null },
): Promise<AsyncGenerator<UserSummary>> {
  requirePermission(ctx, 'customers.export')
  requireRecentCode(ctx)
  if (after !== null && !(isId(after) && (await findRoles(ctx.db, after)))) {
    throw new AppError('INVALID', 'after must be the id of a row in this list.')
  }
  return streamUsers(ctx, after ?? '', limit ?? Number.MAX_SAFE_INTEGER)
}

async function* streamUsers(ctx: Context, after: string, limit: number): AsyncGenerator<UserSummary> {
  let [cursor, remaining] = [after, limit]
  for (;;) {
    const size = Math.min(batch, remaining)
    const rows = await listUserNames(ctx.db, { after: cursor, limit: size })
    await recordReads(ctx, { action: 'account.listed', subjectIds: rows.map(({ id }) => id) })
    for (const row of rows) yield openSummary(ctx, row)
    remaining -= rows.length
    const last = rows.at(-1)
    if (!last || rows.length < size || remaining === 0) return
    cursor = last.id
  }
}
