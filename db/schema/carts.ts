export type CartsTable = {
  id: string
  /** SHA-256 of the cookie's token, base64url. */
  tokenHash: string
  /** Whose it is once somebody signed in with it; null of a visitor's. */
  userId: string | null
  createdAt: Date
  updatedAt: Date
}

export type CartLinesTable = {
  cartId: string
  variantId: string
  quantity: number
  /** The price when the line was last touched. */
  priceCents: number
  createdAt: Date
}
