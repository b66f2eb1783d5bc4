import { findProfile } from '#db/accounts/users.ts'
import type { Context } from '../context.ts'
import { readNameOrEmail } from './person-reader.ts'
import { openUserKey } from '../crypto/user-key.ts'

/**
 * What colleagues are called, by their id: the name, or without one the address. Those whose account is gone are left out. For a few at
 * a time; the caller has asked whether one may know.
 */
export async function readNames(
  ctx: Pick<Context, 'db' | 'keys'>,
  ids: readonly (string | null)[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const id of new Set(ids)) {
    if (id === null) continue
    const [row, key] = await Promise.all([findProfile(ctx.db, id), openUserKey(ctx, id)])
    if (!row || !key) continue
    names.set(id, readNameOrEmail(key, row))
  }
  return names
}
