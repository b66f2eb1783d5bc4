import type { ProfileRow } from '#db/accounts/users.ts'
import type { PersonName } from '#domain/accounts/accounts.ts'
import type { SavedAddress } from '#domain/accounts/addresses.ts'
import { AppError } from '#domain/errors.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openAddresses } from './list-addresses.ts'
import { userNotFound } from './lock-actor.ts'
import { openPerson, type Person } from './get-profile.ts'
import { requireAdmin } from '../require-user.ts'
import { openEmail, openName } from './sealed-user.ts'
import { findUser } from './find-user.ts'

/** A user's identity, without health data. */
export type UserHeader = PersonName & Pick<Person, 'id' | 'email' | 'isAdmin' | 'createdAt' | 'hasIdDocument'>

/** The user's row and key. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND. */
async function loadUser(ctx: Context, id: string): Promise<{ row: ProfileRow; key: KeyRing }> {
  requireAdmin(ctx)
  const user = await findUser(ctx, id)
  if (!user) throw new AppError('NOT_FOUND', userNotFound)
  return user
}

/** The header of a user's admin page. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND. */
export async function getUserHeader(ctx: Context, id: string): Promise<UserHeader> {
  const { row, key } = await loadUser(ctx, id)
  const { isAdmin, createdAt, idDocumentFileId } = row
  return {
    id,
    email: openEmail(key, row),
    ...openName(key, row),
    isAdmin,
    createdAt,
    hasIdDocument: idDocumentFileId !== null,
  }
}

/** A user's profile addresses and saved order addresses, for an admin. The read is audited. */
export async function getUserAddresses(
  ctx: Context,
  id: string,
): Promise<{ person: Person; saved: SavedAddress[] }> {
  const { row, key } = await loadUser(ctx, id)
  await recordRead(ctx, { action: 'addresses.read', subjectId: id })
  return { person: openPerson(key, row), saved: await openAddresses(ctx, key, id) }
}
