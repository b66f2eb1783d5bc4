/** A browser that signed in to an account: its wrong passwords and codes count apart. */
export type KnownDevicesTable = {
  /** SHA-256 of the token in the browser's cookie, base64url. */
  tokenHash: string
  userId: string
  /** Whether the sign-in gave a code of the account's second factor. */
  hasGivenFactor: boolean
  createdAt: Date
  expiresAt: Date
}
