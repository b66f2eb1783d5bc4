import { findOffer, insertCart, touchCart } from '#db/cart/carts.ts'
import { lockUser } from '#db/accounts/users.ts'
import { pipeline } from '#db/engine/sql.ts'
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
import { consumeRate } from '../limit-rate.ts'
import { deleteLines, openLines, type Cart, type OpenCart } from './cart-lines.ts'
import { findCurrentCart } from './find-cart.ts'

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
    const [offer, cart] = await pipeline(findOfferOf(ctx, variantId), lockCart(ctx, token))
    if (!offer) reject('variantId', 'This variant is no longer available.')
    const { items, save, ...opened } = await openCart(ctx, token, cart)
    const total = (items.find((item) => item.variantId === variantId)?.quantity ?? 0) + quantity
    if (total > maxQuantity) reject('quantity', `Quantity must be at most ${maxQuantity}.`)
    if (total === quantity && items.length >= maxLines) {
      reject('variantId', `A cart can have at most ${maxLines} different items.`)
    }
    const problem = findOfferProblem(offer, total)
    if (problem) throw new AppError('CONFLICT', problem, { fields: { quantity: problem } })
    await save({ variantId, quantity: total, priceCents: offer.priceCents ?? 0 })
    return opened.token
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
    const cart = await lockCart(ctx, token)
    if (!cart) return
    const { items, save } = await openLines(ctx, cart)
    const item = items.find((item) => item.variantId === variantId)
    // What is no longer on sale leaves the cart when it is read.
    const offer = item && (await findOfferOf(ctx, variantId))
    if (!item || !offer) return
    const problem = findOfferProblem(offer, quantity)
    // Lowering the quantity is always allowed, because it fixes the problem.
    if (problem && quantity >= item.quantity)
      throw new AppError('CONFLICT', problem, { fields: { quantity: problem } })
    await save({ variantId, quantity, priceCents: offer.priceCents ?? 0 })
  })
}

/** Deletes a line, if it is in the cart. */
export async function removeFromCart(
  ctx: Context,
  token: string | null,
  { variantId }: { variantId: string },
): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const cart = await lockCart(ctx, token)
    if (cart) await deleteLines(ctx, cart, [variantId])
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
    const existing = await lockCart(ctx, token)
    if (existing && (await openLines(ctx, existing)).items.length > 0) return { token: null, imported: 0 }
    const quantities = new Map<string, number>()
    for (const { variantId, quantity } of stored.slice(0, maxLines)) {
      if (quantityProblem(quantity) === null) {
        quantities.set(variantId, Math.min((quantities.get(variantId) ?? 0) + quantity, maxQuantity))
      }
    }
    let opened: (OpenCart & { token: CartToken }) | null = null
    let imported = 0
    for (const [variantId, quantity] of quantities) {
      const offer = await findOfferOf(ctx, variantId)
      if (!offer || findOfferProblem(offer, 1) !== null) continue
      opened ??= await openCart(ctx, token, existing)
      await opened.save({
        variantId,
        quantity: offer.trackInventory ? Math.min(quantity, offer.stockQuantity) : quantity,
        priceCents: offer.priceCents ?? 0,
      })
      imported++
    }
    return { token: opened?.token ?? null, imported }
  })
}

/** Locks the caller's cart for this transaction, so that its lines change one request at a time. */
export async function lockCart(ctx: Context, token: string | null): Promise<Cart | null> {
  const cart = await findCurrentCart(ctx, token)
  if (!cart) return null
  const isLocked =
    'userId' in cart ? await lockUser(ctx.db, cart.userId) : await touchCart(ctx.db, cart.cartId, ctx.now)
  return isLocked ? cart : null
}

/**
 * Opens the caller's cart to change it; creates a visitor's on the first add. Throws TOO_MANY when
 * a visitor's address created too many.
 * @param cart what `lockCart` returned in this transaction
 */
export async function openCart(
  ctx: Context,
  token: string | null,
  cart: Cart | null,
): Promise<OpenCart & { token: CartToken }> {
  if (cart) return { ...(await openLines(ctx, cart)), token: 'userId' in cart ? null : token }
  if (ctx.user) throw new AppError('UNAUTHENTICATED')
  await consumeRate(ctx, 'new-cart', ctx.clientAddress)
  const [cartId, newCartToken] = [newId(ctx.now.getTime()), newToken()]
  await insertCart(ctx.db, { id: cartId, tokenHash: hashToken(newCartToken), now: ctx.now })
  return { ...(await openLines(ctx, { cartId })), token: newCartToken }
}

const findOfferOf = async (ctx: Context, variantId: string): ReturnType<typeof findOffer> =>
  isId(variantId) ? findOffer(ctx.db, variantId) : null

function requireValidQuantity(quantity: number): void {
  const problem = quantityProblem(quantity)
  if (problem) reject('quantity', problem)
}

function reject(field: string, message: string): never {
  throw new AppError('INVALID', message, { fields: { [field]: message } })
}
