import { findSealedEmail } from '#db/accounts/users.ts'
import type { Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { openEmail } from './sealed-user.ts'

/** A user's email address as the account stores it; null when the user was deleted. */
export async function findEmail(ctx: Context, userId: string): Promise<string | null> {
  const user = await findSealedEmail(ctx.db, userId)
  const key = await openUserKey(ctx, userId)
  return user && key ? openEmail(key, user) : null
}
