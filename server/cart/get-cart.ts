import type { StoredCartLine } from '#db/cart/carts.ts'
import {
  cartTotals,
  describePriceChange,
  emptyCart,
  findOfferProblem,
  type CartLine,
  type CartView,
} from '#domain/cart/cart.ts'
import type { LineState } from '#domain/dispensing/line-state.ts'
import { decimalFromCents } from '#domain/money.ts'
import { inTransaction, type Context } from '#server/context.ts'
import { toAppError } from '#server/errors.ts'
import { deleteLines, listLines, type Cart } from './cart-lines.ts'
import { findCurrentCart } from './find-cart.ts'

/** The cart, and the product names of the lines just removed because they are no longer on sale. */
export type CurrentCart = { cart: CartView; removedNames: string[] }

const noStates: ReadonlyMap<string, LineState> = new Map()

/** Finds what a customer's prescriptions say about the lines of their cart, by variant. */
type ListStates = (
  ctx: Context,
  userId: string,
  lines: readonly StoredCartLine[],
) => Promise<ReadonlyMap<string, LineState>>

/**
 * The cart of the signed-in customer, or of the visitor with this cookie token. An unknown token
 * has an empty cart. Removes lines whose variant was deleted.
 * @param listStates `listCartStates` for pages that say how each prescription line is covered
 */
export async function getCart(
  ctx: Context,
  token: string | null,
  listStates: ListStates = () => Promise.resolve(noStates),
): Promise<CurrentCart> {
  const cart = await findCurrentCart(ctx, token)
  if (!cart) return { cart: emptyCart, removedNames: [] }
  const stored = await listLines(ctx, cart)
  const deleted = stored.filter((line) => line.isDeleted)
  if (deleted.length > 0) await removeDeletedLines(ctx, cart, deleted)
  const lines = stored.filter((line) => !line.isDeleted)
  const states = 'userId' in cart ? await listStates(ctx, cart.userId, lines) : noStates
  return {
    cart: toView(lines, states),
    removedNames: deleted.map((line) => line.product.name),
  }
}

/** A full disk does not prevent reading: the lines are removed on a later read. */
async function removeDeletedLines(ctx: Context, cart: Cart, lines: readonly StoredCartLine[]): Promise<void> {
  const variantIds = lines.map((line) => line.variant.id)
  try {
    await inTransaction(ctx, (ctx) => deleteLines(ctx, cart, variantIds))
  } catch (error) {
    if (toAppError(error).code !== 'STORAGE_FULL') throw error
    ctx.log.warn({ err: error, requestId: ctx.requestId }, 'deleted products not removed from a cart')
  }
}

function toView(lines: readonly StoredCartLine[], states: ReadonlyMap<string, LineState>): CartView {
  return {
    lines: lines.map((line) => toCartLine(line, states.get(line.variant.id))),
    ...cartTotals(lines),
  }
}

function toCartLine(
  { product, variant, quantity, priceCents, addedPriceCents }: StoredCartLine,
  state: LineState | undefined,
): CartLine {
  const offer = { ...variant, priceCents, controlledSchedule: product.controlledSchedule }
  const problem = findOfferProblem(offer, quantity)
  return {
    product,
    variant,
    quantity,
    subtotal: decimalFromCents((priceCents ?? 0) * quantity),
    problem,
    priceNote: describePriceChange({ priceCents, addedPriceCents }),
    prescription: toCartState(state),
  }
}

/** What the cart says about a line. The customer chooses a prescription at checkout, not here. */
const toCartState = (state: LineState | undefined): CartLine['prescription'] =>
  state
    ? {
        kind: state.kind,
        message: state.kind === 'choose' ? 'You’ll choose a prescription for it at checkout' : state.message,
      }
    : null
