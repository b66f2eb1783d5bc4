import { findProfile, type ProfileRow } from '#db/accounts/users.ts'
import type { PersonName, Profile } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { requireUser } from '../require-user.ts'
import { openEmail, openName, openProfile } from './sealed-user.ts'
import { openUserKey } from '../crypto/user-key.ts'

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
  const [row, key] = await Promise.all([findProfile(ctx.db, id), openUserKey(ctx, id)])
  // Deleted since the session was read.
  if (!row || !key) throw new AppError('UNAUTHENTICATED')
  await recordRead(ctx, { action: 'profile.read', subjectId: id })
  return openPerson(key, row)
}

export function openPerson(key: KeyRing, row: ProfileRow): Person {
  const { id, isAdmin, createdAt, idDocumentFileId } = row
  return {
    id,
    email: openEmail(key, row),
    ...openName(key, row),
    ...openProfile(key, row),
    isAdmin,
    createdAt,
    hasIdDocument: idDocumentFileId !== null,
  }
}
