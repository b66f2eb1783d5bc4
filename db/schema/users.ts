import type { Generated } from 'kysely'

/** Somebody with an account. Everything `sealed` opens with the user's own key (docs/security.md). */
export type UsersTable = {
  id: string
  /** Blind index of the e-mail address, by which a user is found. */
  emailHash: string
  /** Blind index of the cell phone's digits. */
  cellPhoneHash: string | null
  sealedEmail: string
  /** First and last name as JSON. */
  sealedName: string
  /** Everything else of the profile as JSON. */
  sealedProfile: string
  /** argon2id in PHC form; null where an identity provider signs in. */
  passwordHash: string | null
  /** Blind index of the provider's issuer and subject. */
  oidcSubjectHash: string | null
  isAdmin: boolean
  emailConfirmedAt: Date | null
  sealedTotpSecret: string | null
  /** When the second factor was proven to work; before that it asks nobody. */
  totpConfirmedAt: Date | null
  /** The time step of the last code that was taken. */
  totpLastStep: number | null
  idDocumentFileId: string | null
  /** Rises with each edit. */
  version: Generated<number>
  createdAt: Date
  updatedAt: Date
}

export type OneTimeTokensTable = {
  /** SHA-256 of what the link or cookie carries. */
  tokenHash: string
  purpose: 'confirm-email' | 'reset-password' | 'change-email' | 'second-factor'
  userId: string
  /** What the token is about besides, sealed for the user: the new address. */
  sealedDetail: string | null
  createdAt: Date
  expiresAt: Date
}

/** Deleted when used. */
export type RecoveryCodesTable = { userId: string; codeHash: string }

/** A keyed hash of a word, or of how it begins, of a user's name or e-mail address. */
export type PersonTokensTable = { token: string; userId: string }

/** The same of a name or an address that they have no longer. */
export type FormerPersonTokensTable = PersonTokensTable
