import type { ProfileRow } from '#db/accounts/users.ts'
import type { PersonName, Profile } from '#domain/accounts/accounts.ts'
import { parseRoles } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { requireUser } from '../require-user.ts'
import { openEmail, openName, openProfile } from './sealed-user.ts'
import { findUser } from './find-user.ts'

/** Everything the shop stores about a person, except their files. */
export type Person = PersonName &
  Profile & {
    id: string
    email: string
    isAdmin: boolean
    createdAt: Date
    hasIdDocument: boolean
  }

/** The signed-in user's profile. The read is audited. Throws UNAUTHENTICATED. */
export async function getProfile(ctx: Context): Promise<Person> {
  const { id } = requireUser(ctx)
  const user = await findUser(ctx, id)
  // Deleted since the session was read.
  if (!user) throw new AppError('UNAUTHENTICATED')
  await recordRead(ctx, { action: 'profile.read', subjectId: id })
  return openPerson(user.key, user.row)
}

export function openPerson(key: KeyRing, row: ProfileRow): Person {
  const { id, createdAt, idDocumentFileId } = row
  return {
    id,
    email: openEmail(key, row),
    ...openName(key, row),
    ...openProfile(key, row),
    isAdmin: parseRoles(row.roles).includes('admin'),
    createdAt,
    hasIdDocument: idDocumentFileId !== null,
  }
}
