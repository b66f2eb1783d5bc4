import { listCartLines, deleteCartLines, type StoredCartLine } from '#db/cart/carts.ts'
import { cartTotals, emptyCart, offerProblem, type CartLine, type CartView } from '#domain/cart/cart.ts'
import { decimalFromCents } from '#domain/money.ts'
import { inTransaction, type Context } from '#server/context.ts'
import { toAppError } from '#server/errors.ts'
import { findOwnCartId } from './find-cart.ts'

/** The cart as it stands, and the names of what left it since because it is no longer offered. */
export type CartRead = { cart: CartView; dropped: string[] }

/**
 * The cart of whoever is signed in, else the one behind a cookie's token; an unknown token has an empty one. Lines whose
 * variant vanished are dropped.
 */
export async function readCart(ctx: Context, token: string | null): Promise<CartRead> {
  const cartId = await findOwnCartId(ctx, token)
  if (!cartId) return { cart: emptyCart, dropped: [] }
  const stored = await listCartLines(ctx.db, cartId)
  const gone = stored.filter((line) => line.gone)
  if (gone.length > 0) await dropLines(ctx, cartId, gone)
  return { cart: toView(stored.filter((line) => !line.gone)), dropped: gone.map((line) => line.product.name) }
}

/** Reading goes on when nothing can be stored: then the lines leave the cart another time. */
async function dropLines(ctx: Context, cartId: string, lines: readonly StoredCartLine[]): Promise<void> {
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
