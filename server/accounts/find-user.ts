import { findProfile, type ProfileRow } from '#db/accounts/users.ts'
import { isId } from '#domain/ids.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openUserKey } from '../crypto/user-key.ts'

/** A user's row and the key that opens it; null when there is no such user. */
export async function findUser(
  ctx: Pick<Context, 'db' | 'keys'>,
  id: string,
): Promise<{ row: ProfileRow; key: KeyRing } | null> {
  if (!isId(id)) return null
  const [row, key] = await Promise.all([findProfile(ctx.db, id), openUserKey(ctx, id)])
  return row && key && { row, key }
}
