import {
  deleteCartLines,
  findOffer,
  insertCart,
  listCartLines,
  saveCartLine,
  touchCart,
} from '#db/cart/carts.ts'
import { maxLines, maxQuantity, offerProblem, quantityProblem, type StoredLine } from '#domain/cart/cart.ts'
import { AppError } from '#domain/errors.ts'
import { isId, newId } from '#domain/ids.ts'
import { inTransaction, type Context } from '#server/context.ts'
import { hashToken, newToken } from '#server/crypto/tokens.ts'
import { findCurrentCartId } from './find-cart.ts'

/**
 * A visitor's way to the cart: the caller's token when it names one, else a new one to be set as
 * cookie. Null when the cart is an account's, which is found by who is signed in.
 */
export type CartToken = string | null

/**
 * Puts a variant into the cart; one that is there already grows by the amount (specification,
 * section 4). The first add makes the cart. Throws INVALID (variantId, quantity) and CONFLICT when
 * it cannot be bought.
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
      reject('variantId', `A cart holds at most ${maxLines} different items.`)
    }
    const problem = offerProblem(offer, total)
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
 * Sets a line's quantity; zero or less removes it. A line that is not there is left so: the other
 * tab removed it. Throws INVALID (quantity) and CONFLICT when there are not as many.
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
    const problem = offerProblem(offer, quantity)
    // Fewer of what ran short is always allowed: it is the way out.
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

/** Deletes a line; doing it twice is doing it once. */
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
 * Takes over the lines a browser kept, once: only an empty cart takes them. What cannot be bought
 * is left out, a quantity beyond the stock is lowered to it. Returns the token and how many lines
 * came in.
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
      if (!offer || offerProblem(offer, 1) !== null) continue
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

/** The caller's cart, made with the first that goes into it, and taken for this transaction. */
export async function openCart(
  ctx: Context,
  token: string | null,
): Promise<{ id: string; token: CartToken }> {
  const cartId = await lockCart(ctx, token)
  if (cartId) return { id: cartId, token: ctx.user ? null : token }
  const created = { id: newId(ctx.now.getTime()), token: newToken() }
  const userId = ctx.user?.id ?? null
  await insertCart(ctx.db, { id: created.id, tokenHash: hashToken(created.token), userId, now: ctx.now })
  if (userId === null) return created
  // Of two first adds at once one made the cart of the account, and the other adds to that.
  return { id: (await lockCart(ctx, null)) ?? created.id, token: null }
}

async function requireOffer(ctx: Context, variantId: string) {
  const offer = isId(variantId) ? await findOffer(ctx.db, variantId) : null
  return offer ?? reject('variantId', 'This variant is no longer offered.')
}

function requireValidQuantity(quantity: number): void {
  const problem = quantityProblem(quantity)
  if (problem) reject('quantity', problem)
}

function reject(field: string, message: string): never {
  throw new AppError('INVALID', message, { fields: { [field]: message } })
}
