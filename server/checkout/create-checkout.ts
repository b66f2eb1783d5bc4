import { listUserCartItems } from '#db/cart/carts.ts'
import {
  findOpenCheckout,
  insertCheckout,
  listOffers,
  moveCheckout,
  refreeze,
  setPayment,
  type CheckoutRow,
} from '#db/checkout/checkouts.ts'
import { lockVariants } from '#db/inventory/stock.ts'
import { together } from '#db/engine/sql.ts'
import { lockUser } from '#db/accounts/users.ts'
import type { Db } from '#db/engine/client.ts'
import { displayName } from '#domain/accounts/accounts.ts'
import { checkoutWords } from '#domain/checkout/checkout-messages.ts'
import { seenOf, totalOf, type Frozen, type FrozenLine, type ShipTo } from '#domain/checkout/checkout.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { requireUser } from '../require-user.ts'
import { inTransaction, type Context } from '../context.ts'
import { toAppError } from '../errors.ts'
import { limitRate } from '../limit-rate.ts'
import type { HostedSession, Payment } from '../integrations/payments/payments.ts'
import { requirePrescription } from './check-prescription.ts'
import { freezeLines, readItems, type AskedItem } from './freeze-lines.ts'
import { releaseCheckout } from './release-checkout.ts'
import { openFrozen, sealFrozen } from './sealed-checkout.ts'
import { stopPayment } from './cancel-payment.ts'

export type CheckoutInput = {
  items: readonly AskedItem[]
  shipTo: ShipTo | null
  prescriptionId: string | null
}

/** A frozen checkout and what pays it: a payment, or a hosted page. */
export type OpenedCheckout = { checkoutId: string; totalCents: number; lines: FrozenLine[] }

/** Of two checkouts of one user at once the second tries again, after the first. */
const maxTries = 5

/**
 * Freezes what somebody is about to pay, reserves it for `ctx.shop.holdSeconds`, and makes the payment. Their checkout from before is
 * cancelled and what it held is free again, unless it was paid meanwhile. Throws UNAUTHENTICATED, INVALID (items, prescriptionId,
 * shippingAddress), CONFLICT when something cannot be reserved, TOO_MANY, UNAVAILABLE when the provider fails.
 * @param keep whether an open checkout of the same lines and prices goes on, with this address and prescription: the same form again
 * @param seen what its customer saw (from `seenOf`), for the cart's form: the prices are these still, and a new one is begun only while the cart holds these
 * very items, so that a form that comes twice at once orders once
 */
export async function openCheckout(
  ctx: Context,
  input: CheckoutInput,
  { keep = false, seen = null }: { keep?: boolean; seen?: string | null } = {},
): Promise<OpenedCheckout & { payment: Payment }> {
  const { row, lines } = await freeze(ctx, input, { keep, seen })
  const payment = row.paymentId
    ? await ctx.payments.findPayment(row.paymentId)
    : await startPaying(ctx, row, () =>
        ctx.payments.createPayment({ checkoutId: row.id, amountCents: row.amountCents }),
      )
  if (!payment) throw new Error('The provider has lost a payment of ours.')
  if (
    !row.paymentId &&
    !(await setPayment(ctx.db, { id: row.id, paymentId: payment.id, sessionId: null, now: ctx.now }))
  ) {
    await ctx.payments.cancelPayment(payment.id)
    throw new AppError('CONFLICT', 'You began another checkout at the same time. Please try again.')
  }
  return { checkoutId: row.id, totalCents: row.amountCents, lines, payment }
}

/** The same for the form of the cart, to be paid on the provider's own page. @param said what was seen, and where that page leads to */
export async function openHostedCheckout(
  ctx: Context,
  input: CheckoutInput,
  { seen, ...urls }: { seen: string; successUrl: string; cancelUrl: string },
): Promise<OpenedCheckout & { session: HostedSession }> {
  const { hosted } = ctx.payments
  if (!hosted) throw new Error('This provider has no page of its own.')
  const { row, lines } = await freeze(ctx, input, { keep: false, seen })
  const session = await startPaying(ctx, row, () =>
    hosted.createSession({
      checkoutId: row.id,
      amountCents: row.amountCents,
      expiresAt: row.expiresAt,
      ...urls,
    }),
  )
  if (!(await setPayment(ctx.db, { id: row.id, paymentId: null, sessionId: session.id, now: ctx.now }))) {
    await hosted.expireSession(session.id)
    throw new AppError('CONFLICT', 'You began another checkout at the same time. Please try again.')
  }
  return { checkoutId: row.id, totalCents: row.amountCents, lines, session }
}

/** Asks the provider for something to pay. When it fails, nothing is held, unless the same form, sent twice, has got its payment: nobody can pay what nobody was told of. */
async function startPaying<T>(ctx: Context, row: CheckoutRow, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    await inTransaction(ctx, (ctx) => releaseCheckout(ctx, row, 'cancelled'))
    if (toAppError(error).code !== 'UNAVAILABLE') throw error
    throw new AppError('UNAVAILABLE', checkoutWords.cannotStart, { cause: error, retryAfter: 5 })
  }
}

type FrozenCheckout = { row: CheckoutRow; lines: FrozenLine[] }

async function freeze(
  ctx: Context,
  input: CheckoutInput,
  { keep, seen }: { keep: boolean; seen: string | null },
): Promise<FrozenCheckout> {
  const user = requireUser(ctx)
  const items = readItems(input.items)
  const isSeen = (lines: FrozenLine[]) => seen === null || seenOf(lines) === seen
  await limitRate(ctx, 'checkout', user.id)
  if (input.prescriptionId !== null) await requirePrescription(ctx, user.id, input.prescriptionId)
  // Few have one open, and whoever has is found out by beginning another: only what may go on with it looks first.
  let old = keep ? await findOpenCheckout(ctx.db, user.id) : null
  for (let tries = 0; tries < maxTries; tries++) {
    const same = keep && old ? await sameLines(ctx, old, items) : null
    const lines = same && isSeen(same) ? same : null
    if (old && lines && !old.sessionId && old.expiresAt > ctx.now) {
      const row = await goOn(ctx, old, input)
      if (row) return { row, lines }
    }
    const stopped = old && (await stopPayment(ctx, old))
    // Paid in another tab, or by a browser that was lost on the way back: it must not be paid again.
    if (old && lines && stopped === 'succeeded') return { row: old, lines }
    if (stopped === 'processing') {
      throw new AppError('CONFLICT', 'Your last payment is still under way. Please wait a moment.')
    }
    const begun = await inTransaction(ctx, async (ctx) => {
      const { db, now } = ctx
      const alone = beAlone(db, user.id, old)
      if (old) await alone
      if (old && stopped === 'canceled') {
        const given = openFrozen(ctx.keys, old).lines
        await lockVariants(
          db,
          [...given, ...items].map((line) => line.productVariantId),
        )
        await releaseCheckout(ctx, old, 'cancelled')
      }
      if (old && stopped === 'succeeded') {
        await moveCheckout(db, { id: old.id, from: 'open', to: 'paid', checkAt: now, now })
      }
      const begun = await begin(ctx, items, input, alone)
      // Only now: a form that came first, and orders meanwhile, has emptied the cart by the time that a second checkout can open.
      const isCart = seen === null || (await cartHolds(db, user.id, items))
      if (!isCart || !isSeen(begun.lines)) throw new AppError('CONFLICT', checkoutWords.cartChanged)
      return begun
    }).catch(orNullIfTaken)
    if (begun) return begun
    old = await findOpenCheckout(ctx.db, user.id)
  }
  throw new AppError('CONFLICT', 'You began another checkout at the same time. Please try again.')
}

/** Thrown to take back what was reserved for a checkout that came second. */
class Taken extends Error {}

function orNullIfTaken(error: unknown): null {
  if (error instanceof Taken) return null
  throw error
}

/** Comes first: of two checkouts of one user the second would hold the stock that the first waits for. */
async function beAlone(db: Db, userId: string, old: CheckoutRow | null): Promise<void> {
  const [isThere, other] = await together(lockUser(db, userId), findOpenCheckout(db, userId))
  if (!isThere) throw new AppError('UNAUTHENTICATED')
  // It may be becoming an order, which waits for the stock that this one would hold.
  if (other && other.id !== old?.id) throw new Taken()
}

async function cartHolds(db: Db, userId: string, items: readonly AskedItem[]): Promise<boolean> {
  const held = await listUserCartItems(db, userId)
  const asked = new Map(items.map(({ productVariantId, quantity }) => [productVariantId, quantity]))
  return (
    held.length >= asked.size &&
    [...asked].every(([id, quantity]) =>
      held.some((line) => line.variantId === id && line.quantity === quantity),
    )
  )
}

async function begin(
  ctx: Context,
  items: readonly AskedItem[],
  { shipTo, prescriptionId }: CheckoutInput,
  alone: Promise<void>,
): Promise<FrozenCheckout> {
  const user = requireUser(ctx)
  const { db, keys, now, shop } = ctx
  const [, lines] = await together(alone, freezeLines(ctx, items))
  const id = newId(now.getTime())
  const name = user.firstName || user.lastName ? displayName(user) : ''
  const frozen: Frozen = { lines, shipTo, prescriptionId, customer: { name, email: user.email } }
  const row: CheckoutRow = {
    id,
    userId: user.id,
    status: 'open',
    paymentId: null,
    sessionId: null,
    amountCents: totalOf(lines),
    sealedFrozen: sealFrozen(keys, id, frozen),
    createdAt: now,
    expiresAt: new Date(now.getTime() + shop.holdSeconds * 1000),
    // Whoever pays has mostly come back by then.
    checkAt: new Date(now.getTime() + 1000 * Math.min(shop.reconcileSeconds, shop.holdSeconds)),
    updatedAt: now,
  }
  if (!(await insertCheckout(db, row))) throw new Taken()
  return { row, lines }
}

/** The lines of an open checkout when they are these at today's prices; else null. */
async function sameLines(
  ctx: Context,
  old: CheckoutRow,
  items: readonly AskedItem[],
): Promise<FrozenLine[] | null> {
  const { lines } = openFrozen(ctx.keys, old)
  const asked = new Map(items.map(({ productVariantId, quantity }) => [productVariantId, quantity]))
  const offers = await listOffers(ctx.db, [...asked.keys()])
  const prices = new Map(offers.map(({ id, priceCents }) => [id, priceCents]))
  const isSame =
    lines.length === items.length &&
    lines.every(
      ({ productVariantId: id, quantity, priceCents }) =>
        asked.get(id) === quantity && prices.get(id) === priceCents,
    )
  return isSame ? lines : null
}

/** Puts another address and prescription into an open checkout, and holds it anew; null when it is open no longer. */
async function goOn(
  ctx: Context,
  old: CheckoutRow,
  { shipTo, prescriptionId }: CheckoutInput,
): Promise<CheckoutRow | null> {
  const frozen = openFrozen(ctx.keys, old)
  const sealedFrozen = sealFrozen(ctx.keys, old.id, { ...frozen, shipTo, prescriptionId })
  const expiresAt = new Date(ctx.now.getTime() + ctx.shop.holdSeconds * 1000)
  const isOpen = await refreeze(ctx.db, { id: old.id, sealedFrozen, expiresAt, now: ctx.now })
  return isOpen ? { ...old, sealedFrozen, expiresAt } : null
}
