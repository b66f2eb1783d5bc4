import { emptyProfile, nameSchema, profileSchema, type PersonName, type Profile } from '#domain/accounts/accounts.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'

type SealedUser = { id: string; sealedEmail: string; sealedName: string; sealedProfile: string }

const placeOf = (row: string, column: 'sealed_email' | 'sealed_name' | 'sealed_profile') => ({
  table: 'users',
  column,
  row,
})

export const sealEmail = (key: KeyRing, userId: string, email: string): string =>
  seal(key, placeOf(userId, 'sealed_email'), email)
export const sealName = (key: KeyRing, userId: string, { firstName, lastName }: PersonName): string =>
  seal(key, placeOf(userId, 'sealed_name'), JSON.stringify({ firstName, lastName }))
export const sealProfile = (key: KeyRing, userId: string, profile: Profile): string =>
  seal(key, placeOf(userId, 'sealed_profile'), JSON.stringify(profile))

export const openEmail = (
  key: KeyRing,
  { id, sealedEmail }: Pick<SealedUser, 'id' | 'sealedEmail'>,
): string => unseal(key, placeOf(id, 'sealed_email'), sealedEmail)
export const openName = (
  key: KeyRing,
  { id, sealedName }: Pick<SealedUser, 'id' | 'sealedName'>,
): PersonName => nameSchema.parse(JSON.parse(unseal(key, placeOf(id, 'sealed_name'), sealedName)))
/** A field that a row sealed earlier does not know yet is null. */
export function openProfile(
  key: KeyRing,
  { id, sealedProfile }: Pick<SealedUser, 'id' | 'sealedProfile'>,
): Profile {
  const stored: unknown = JSON.parse(unseal(key, placeOf(id, 'sealed_profile'), sealedProfile))
  return profileSchema.parse({ ...emptyProfile, ...(stored as object) })
}
