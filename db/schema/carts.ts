export type CartsTable = {
  id: string
  /** SHA-256 of the cookie's token, base64url. */
  tokenHash: string
  /** The account that owns it. Null for a visitor's cart. */
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
