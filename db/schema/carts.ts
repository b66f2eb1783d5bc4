/** The cart of a visitor without an account. */
export type CartsTable = {
  id: string
  /** SHA-256 of the cookie's token, base64url. */
  tokenHash: string
  /** Null. An account before migration 0027, until the next start has sealed its cart. */
  userId: string | null
  createdAt: Date
  updatedAt: Date
}

export type CartLinesTable = {
  cartId: string
  variantId: string
  quantity: number
  /** The price when the line was last changed. */
  priceCents: number
  createdAt: Date
}

/** A line of an account's cart. */
export type AccountCartLinesTable = {
  userId: string
  /** Blind index of the user's and the variant's ids. */
  lineHash: string
  /** `AccountCartLine` as JSON, sealed for the user. */
  sealedLine: string
}
