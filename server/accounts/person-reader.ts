import { findSealedEmail } from '#db/accounts/users.ts'
import { displayName, nameOrEmail } from '#domain/accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { openEmail, openName } from './sealed-user.ts'

/** What other areas read of a person: their name and their email address. */

/** A person's display name. `key` is theirs. */
export const readDisplayName = (key: KeyRing, row: { id: string; sealedName: string }): string =>
  displayName(openName(key, row))

/** A staff member's name, or their email address when they have no name. */
export function readNameOrEmail(
  key: KeyRing,
  row: { id: string; sealedName: string; sealedEmail: string },
): string {
  return nameOrEmail({ ...openName(key, row), email: openEmail(key, row) })
}

/** A customer's current email address; null when their account is deleted. */
export async function findEmail(ctx: Pick<Context, 'db' | 'keys'>, userId: string): Promise<string | null> {
  const sealed = await findSealedEmail(ctx.db, userId)
  const key = sealed && (await openUserKey(ctx, userId))
  return sealed && key && openEmail(key, sealed)
}
