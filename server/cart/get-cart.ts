import { listCartLines, deleteCartLines, type StoredCartLine } from '#db/cart/carts.ts'
import { cartTotals, emptyCart, offerProblem, type CartLine, type CartView } from '#domain/cart/cart.ts'
import { decimalFromCents } from '#domain/money.ts'
import { inTransaction, type Context } from '#server/context.ts'
import { toAppError } from '#server/errors.ts'
import { findCurrentCartId } from './find-cart.ts'

/** The cart as it stands, and the names of what left it since because it is no longer offered. */
export type CurrentCart = { cart: CartView; dropped: string[] }

/**
 * The cart of whoever is signed in, else the one behind a cookie's token; an unknown token has an
 * empty one. Lines whose variant vanished are dropped.
 */
export async function getCart(ctx: Context, token: string | null): Promise<CurrentCart> {
  const cartId = await findCurrentCartId(ctx, token)
  if (!cartId) return { cart: emptyCart, dropped: [] }
  const stored = await listCartLines(ctx.db, cartId)
  const deleted = stored.filter((line) => line.isDeleted)
  if (deleted.length > 0) await removeDeletedLines(ctx, cartId, deleted)
  return {
    cart: toView(stored.filter((line) => !line.isDeleted)),
    dropped: deleted.map((line) => line.product.name),
  }
}

/** Reading goes on when nothing can be stored: then the lines leave the cart another time. */
async function removeDeletedLines(
  ctx: Context,
  cartId: string,
  lines: readonly StoredCartLine[],
): Promise<void> {
  const variantIds = lines.map((line) => line.variant.id)
  try {
    await inTransaction(ctx, ({ db }) => deleteCartLines(db, cartId, variantIds))
  } catch (error) {
    if (toAppError(error).code !== 'STORAGE_FULL') throw error
    ctx.log.warn({ err: error, requestId: ctx.requestId }, 'lines no longer offered stay in a cart')
  }
}

function toView(lines: readonly StoredCartLine[]): CartView {
  return {
    lines: lines.map(({ product, variant, quantity, priceCents }): CartLine => ({
      product,
      variant,
      quantity,
      subtotal: decimalFromCents((priceCents ?? 0) * quantity),
      available:
        offerProblem({ ...variant, priceCents, controlledSchedule: product.controlledSchedule }, quantity) ===
        null,
    })),
    ...cartTotals(lines),
  }
}
