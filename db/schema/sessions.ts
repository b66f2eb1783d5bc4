/** A browser that is signed in. */
export type SessionsTable = {
  id: string
  /** SHA-256 of the cookie's token, base64url. */
  tokenHash: string
  userId: string
  /** The browser's name and the address it came from as JSON, sealed for the user: shown to nobody else. */
  sealedDevice: string
  createdAt: Date
  /** Moved once a minute at most. */
  lastSeenAt: Date
  /** The end that no use puts off. */
  expiresAt: Date
}
