import type { Generated } from 'kysely'

/** An account. Every `sealed` column opens with the user's own key (docs/security.md). */
export type UsersTable = {
  id: string
  /** Blind index of the email address, which finds the user. */
  emailHash: string
  /** Blind index of the cell phone number's digits. */
  cellPhoneHash: string | null
  sealedEmail: string
  /** First and last name as JSON. */
  sealedName: string
  /** The rest of the profile as JSON. */
  sealedProfile: string
  /** argon2id in PHC form. Null if an identity provider signs the user in. */
  passwordHash: string | null
  /** Blind index of the provider's issuer and subject. */
  oidcSubjectHash: string | null
  /** Names joined by commas (`parseRoles`); empty for a customer. */
  roles: Generated<string>
  emailConfirmedAt: Date | null
  sealedTotpSecret: string | null
  /** When the setup of the second factor started. */
  totpStartedAt: Date | null
  /** When the user confirmed the second factor. Until then sign-in does not request it. */
  totpConfirmedAt: Date | null
  /** The time step of the last accepted code. */
  totpLastStep: number | null
  idDocumentFileId: string | null
  /** When an admin suspended the account; null while its user can sign in. */
  suspendedAt: Date | null
  /** Increases with each edit. */
  version: Generated<number>
  createdAt: Date
  updatedAt: Date
}

export type OneTimeTokensTable = {
  /** SHA-256 of the token in the link or cookie. */
  tokenHash: string
  purpose: 'confirm-email' | 'reset-password' | 'change-email' | 'second-factor'
  userId: string
  /** The new email address, sealed for the user. */
  sealedDetail: string | null
  createdAt: Date
  expiresAt: Date
}

/** A recovery code, deleted when used. */
export type RecoveryCodesTable = { userId: string; codeHash: string }

/** A keyed hash of a word, or its prefix, of a user's name or email address. */
export type PersonTokensTable = { token: string; userId: string }

/** The same for a former name or address. */
export type FormerPersonTokensTable = PersonTokensTable
