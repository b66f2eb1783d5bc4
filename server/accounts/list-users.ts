import { findRole, listUserNames } from '#db/accounts/users.ts'
import type { PersonName } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { recordReads } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { requireAdmin } from '../require-user.ts'
import { openEmail, openName } from './sealed-user.ts'
import { unwrapUserKey } from '../crypto/user-key.ts'

/** How many are read and opened at a time where somebody asks for all. */
const batch = 500

/** An account in a list: who it is, and nothing of what else they told the shop. */
export type UserSummary = PersonName & { id: string; email: string; isAdmin: boolean; createdAt: Date }

type Row = Awaited<ReturnType<typeof listUserNames>>[number]

/** Opens what a list shows of an account. */
function openSummary(ctx: Pick<Context, 'keys'>, row: Row): UserSummary {
  const key = unwrapUserKey(ctx, row.id, row.wrappedKey)
  const { id, isAdmin, createdAt } = row
  return { id, email: openEmail(key, row), ...openName(key, row), isAdmin, createdAt }
}

/**
 * Everybody with an account, the oldest first, for an admin, read in batches; each can read that somebody looked. Throws
 * UNAUTHENTICATED, FORBIDDEN, and INVALID, before the first, when `after` names none.
 * @param limit null is the whole
 */
export async function listUsers(
  ctx: Context,
  { after, limit }: { after: string | null; limit: number | null },
): Promise<AsyncGenerator<UserSummary>> {
  requireAdmin(ctx)
  if (after !== null && !(isId(after) && (await findRole(ctx.db, after)))) {
    throw new AppError('INVALID', 'after names no row of this list.')
  }
  return everybody(ctx, after ?? '', limit ?? Number.MAX_SAFE_INTEGER)
}

async function* everybody(ctx: Context, after: string, limit: number): AsyncGenerator<UserSummary> {
  let [place, left] = [after, limit]
  for (;;) {
    const asked = Math.min(batch, left)
    const rows = await listUserNames(ctx.db, { after: place, limit: asked })
    await recordReads(ctx, { action: 'account.listed', subjectIds: rows.map(({ id }) => id) })
    for (const row of rows) yield openSummary(ctx, row)
    left -= rows.length
    const last = rows.at(-1)
    if (!last || rows.length < asked || left === 0) return
    place = last.id
  }
}
