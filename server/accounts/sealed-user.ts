import {
  emptyProfile,
  nameSchema,
  profileSchema,
  type PersonName,
  type Profile,
} from '#domain/accounts/accounts.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal, unseal } from '../crypto/sealing.ts'

type SealedUser = { id: string; sealedEmail: string; sealedName: string; sealedProfile: string }

export const sealEmail = (key: KeyRing, userId: string, email: string): string =>
  seal(key, bindings.userEmail(userId), email)
export const sealName = (key: KeyRing, userId: string, { firstName, lastName }: PersonName): string =>
  seal(key, bindings.userName(userId), JSON.stringify({ firstName, lastName }))
export const sealProfile = (key: KeyRing, userId: string, profile: Profile): string =>
  seal(key, bindings.userProfile(userId), JSON.stringify(profile))

export const openEmail = (
  key: KeyRing,
  { id, sealedEmail }: Pick<SealedUser, 'id' | 'sealedEmail'>,
): string => unseal(key, bindings.userEmail(id), sealedEmail)
export const openName = (
  key: KeyRing,
  { id, sealedName }: Pick<SealedUser, 'id' | 'sealedName'>,
): PersonName => nameSchema.parse(JSON.parse(unseal(key, bindings.userName(id), sealedName)))
/** Decrypts a profile. Fields that did not exist when the row was sealed are null. */
export function openProfile(
  key: KeyRing,
  { id, sealedProfile }: Pick<SealedUser, 'id' | 'sealedProfile'>,
): Profile {
  const stored: unknown = JSON.parse(unseal(key, bindings.userProfile(id), sealedProfile))
  return profileSchema.parse({ ...emptyProfile, ...(stored as object) })
}
