/** A signed-in browser. */
export type SessionsTable = {
  id: string
  /** SHA-256 of the cookie's token, base64url. */
  tokenHash: string
  userId: string
  /** The browser's name and IP address as JSON, sealed for the user and shown to no other. */
  sealedDevice: string
  createdAt: Date
  /** Updated once a minute at most. */
  lastSeenAt: Date
  /** The absolute end, which activity does not extend. */
  expiresAt: Date
  /** When this session gave a code of the account's second factor. */
  factorVerifiedAt: Date | null
}
