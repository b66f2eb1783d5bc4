import {
  deleteCartLines,
  findOffer,
  insertCart,
  listCartLines,
  saveCartLine,
  touchCart,
} from '#db/cart/carts.ts'
import {
  maxLines,
  maxQuantity,
  findOfferProblem,
  quantityProblem,
  type StoredLine,
} from '#domain/cart/cart.ts'
import { AppError } from '#domain/errors.ts'
import { isId, newId } from '#domain/ids.ts'
import { inTransaction, type Context } from '#server/context.ts'
import { hashToken, newToken } from '#server/crypto/tokens.ts'
import { limitRate } from '../limit-rate.ts'
import { findCurrentCartId } from './find-cart.ts'

/**
 * The token of a visitor's cart: the caller's, or a new one to set as a cookie. Null for an
 * account's cart, which is found by the session.
 */
export type CartToken = string | null

/**
 * Adds a variant to the cart, or increases its quantity (specification, section 4). The first add
 * creates the cart. Throws INVALID (variantId, quantity), and CONFLICT when it cannot be bought.
 */
export async function addToCart(
  ctx: Context,
  token: string | null,
  { variantId, quantity }: StoredLine,
): Promise<CartToken> {
  requireValidQuantity(quantity)
  return inTransaction(ctx, async (ctx) => {
    const offer = await requireOffer(ctx, variantId)
    const cart = await openCart(ctx, token)
    const lines = await listCartLines(ctx.db, cart.id)
    const total = (lines.find((line) => line.variant.id === variantId)?.quantity ?? 0) + quantity
    if (total > maxQuantity) reject('quantity', `Quantity must be at most ${maxQuantity}.`)
    if (total === quantity && lines.length >= maxLines) {
      reject('variantId', `A cart can have at most ${maxLines} different items.`)
    }
    const problem = findOfferProblem(offer, total)
    if (problem) throw new AppError('CONFLICT', problem, { fields: { quantity: problem } })
    await saveCartLine(ctx.db, {
      cartId: cart.id,
      variantId,
      quantity: total,
      priceCents: offer.priceCents ?? 0,
      now: ctx.now,
    })
    return cart.token
  })
}

/**
 * Sets a line's quantity; zero or less removes it. Ignores a missing line: another tab removed it.
 * Throws INVALID (quantity), and CONFLICT when too little is in stock.
 */
export async function setCartQuantity(
  ctx: Context,
  token: string | null,
  { variantId, quantity }: StoredLine,
): Promise<void> {
  if (quantity <= 0 && Number.isInteger(quantity)) return removeFromCart(ctx, token, { variantId })
  requireValidQuantity(quantity)
  await inTransaction(ctx, async (ctx) => {
    const cartId = await lockCart(ctx, token)
    if (!cartId) return
    const line = (await listCartLines(ctx.db, cartId)).find((line) => line.variant.id === variantId)
    if (!line || line.isDeleted) return
    const offer = await requireOffer(ctx, variantId)
    const problem = findOfferProblem(offer, quantity)
    // Lowering the quantity is always allowed, because it fixes the problem.
    if (problem && quantity >= line.quantity)
      throw new AppError('CONFLICT', problem, { fields: { quantity: problem } })
    await saveCartLine(ctx.db, {
      cartId,
      variantId,
      quantity,
      priceCents: offer.priceCents ?? 0,
      now: ctx.now,
    })
  })
}

/** Deletes a line, if it is in the cart. */
export async function removeFromCart(
  ctx: Context,
  token: string | null,
  { variantId }: { variantId: string },
): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const cartId = await lockCart(ctx, token)
    if (cartId) await deleteCartLines(ctx.db, cartId, [variantId])
  })
}

/**
 * Imports the lines from a browser's local storage into an empty cart. Skips what cannot be bought
 * and limits quantities to the stock. Returns the token and the number of imported lines.
 */
export async function importCart(
  ctx: Context,
  token: string | null,
  stored: readonly StoredLine[],
): Promise<{ token: CartToken; imported: number }> {
  return inTransaction(ctx, async (ctx) => {
    const cartId = await lockCart(ctx, token)
    if (cartId && (await listCartLines(ctx.db, cartId)).length > 0) return { token: null, imported: 0 }
    const quantities = new Map<string, number>()
    for (const { variantId, quantity } of stored.slice(0, maxLines)) {
      if (quantityProblem(quantity) === null) {
        quantities.set(variantId, Math.min((quantities.get(variantId) ?? 0) + quantity, maxQuantity))
      }
    }
    let cart: { id: string; token: CartToken } | null = null
    let imported = 0
    for (const [variantId, quantity] of quantities) {
      const offer = isId(variantId) ? await findOffer(ctx.db, variantId) : null
      if (!offer || findOfferProblem(offer, 1) !== null) continue
      cart ??= await openCart(ctx, token)
      await saveCartLine(ctx.db, {
        cartId: cart.id,
        variantId,
        quantity: offer.trackInventory ? Math.min(quantity, offer.stockQuantity) : quantity,
        priceCents: offer.priceCents ?? 0,
        now: ctx.now,
      })
      imported++
    }
    return { token: cart?.token ?? null, imported }
  })
}

async function lockCart(ctx: Context, token: string | null): Promise<string | null> {
  const cartId = await findCurrentCartId(ctx, token)
  return cartId && (await touchCart(ctx.db, cartId, ctx.now)) ? cartId : null
}

/**
 * Locks the caller's cart for this transaction; creates it on the first add. Throws TOO_MANY when a
 * visitor's address created too many.
 */
export async function openCart(
  ctx: Context,
  token: string | null,
): Promise<{ id: string; token: CartToken }> {
  const cartId = await lockCart(ctx, token)
  if (cartId) return { id: cartId, token: ctx.user ? null : token }
  if (!ctx.user) await limitRate(ctx, 'new-cart', ctx.clientAddress)
  const created = { id: newId(ctx.now.getTime()), token: newToken() }
  const userId = ctx.user?.id ?? null
  await insertCart(ctx.db, { id: created.id, tokenHash: hashToken(created.token), userId, now: ctx.now })
  if (userId === null) return created
  // A concurrent first add may have created the account's cart: use that one.
  return { id: (await lockCart(ctx, null)) ?? created.id, token: null }
}

async function requireOffer(ctx: Context, variantId: string) {
  const offer = isId(variantId) ? await findOffer(ctx.db, variantId) : null
  return offer ?? reject('variantId', 'This variant is no longer available.')
}

function requireValidQuantity(quantity: number): void {
  const problem = quantityProblem(quantity)
  if (problem) reject('quantity', problem)
}

function reject(field: string, message: string): never {
  throw new AppError('INVALID', message, { fields: { [field]: message } })
}
