import { findProfile, type ProfileRow } from '#db/accounts/users.ts'
import type { PersonName } from '#domain/accounts/accounts.ts'
import type { SavedAddress } from '#domain/accounts/addresses.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openAddresses } from './list-addresses.ts'
import { userNotFound } from './lock-actor.ts'
import { openPerson, type Person } from './get-profile.ts'
import { requireAdmin } from '../require-user.ts'
import { openEmail, openName } from './sealed-user.ts'
import { openUserKey } from '../crypto/user-key.ts'

/** Who a user is, and nothing that is said of their health. */
export type UserHead = PersonName & Pick<Person, 'id' | 'email' | 'isAdmin' | 'createdAt' | 'hasIdDocument'>

/** The row and its key. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND. */
async function findUser(ctx: Context, id: string): Promise<{ row: ProfileRow; key: KeyRing }> {
  requireAdmin(ctx)
  const [row, key] = isId(id) ? await Promise.all([findProfile(ctx.db, id), openUserKey(ctx, id)]) : []
  if (!row || !key) throw new AppError('NOT_FOUND', userNotFound)
  return { row, key }
}

/** What stands over a user's page, for an admin. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND. */
export async function readUserHead(ctx: Context, id: string): Promise<UserHead> {
  const { row, key } = await findUser(ctx, id)
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

/** The addresses that a user's profile names and those kept from orders, for an admin; the log says that they were read. */
export async function readUserAddresses(
  ctx: Context,
  id: string,
): Promise<{ person: Person; saved: SavedAddress[] }> {
  const { row, key } = await findUser(ctx, id)
  await recordRead(ctx, { action: 'addresses.read', subjectId: id })
  return { person: openPerson(key, row), saved: await openAddresses(ctx, key, id) }
}
