import { listUserCartItems } from '#db/cart/carts.ts'
import {
  findOpenCheckout,
  insertCheckout,
  listOffers,
  updateCheckoutStatus,
  updateFrozen,
  setCheckoutPayment,
  type CheckoutRow,
} from '#db/checkout/checkouts.ts'
import { lockVariants } from '#db/inventory/stock.ts'
import { together } from '#db/engine/sql.ts'
import { lockUser } from '#db/accounts/users.ts'
import type { Db } from '#db/engine/client.ts'
import { displayName } from '#domain/accounts/accounts.ts'
import { checkoutMessages } from '#domain/checkout/checkout-messages.ts'
import { fingerprintOf, totalOf, type Frozen, type FrozenLine, type ShipTo } from '#domain/checkout/checkout.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { requireUser } from '../require-user.ts'
import { inTransaction, type Context } from '../context.ts'
import { toAppError } from '../errors.ts'
import { limitRate } from '../limit-rate.ts'
import type { HostedSession, Payment } from '../integrations/payments/payments.ts'
import { requireUsablePrescription } from './check-prescription.ts'
import { freezeLines, normalizeItems, type CheckoutItem } from './freeze-lines.ts'
import { releaseCheckout } from './release-checkout.ts'
import { openFrozen, sealFrozen } from './sealed-checkout.ts'
import { cancelCheckoutPayment } from './cancel-payment.ts'

export type CheckoutInput = {
  items: readonly CheckoutItem[]
  shipTo: ShipTo | null
  prescriptionId: string | null
}

/** A frozen checkout and what pays it: a payment, or a hosted page. */
export type StartedCheckout = { checkoutId: string; totalCents: number; lines: FrozenLine[] }

/** Of two checkouts of one user at once the second tries again, after the first. */
const maxAttempts = 5

/**
 * Freezes what somebody is about to pay, reserves it for `ctx.shop.holdSeconds`, and makes the payment. Their checkout from before is
 * cancelled and what it held is free again, unless it was paid meanwhile. Throws UNAUTHENTICATED, INVALID (items, prescriptionId,
 * shippingAddress), CONFLICT when something cannot be reserved, TOO_MANY, UNAVAILABLE when the provider fails.
 * @param keep whether an open checkout of the same lines and prices goes on, with this address and prescription: the same form again
 * @param seen what its customer saw (from `fingerprintOf`), for the cart's form: the prices are these still, and a new one is begun only while the cart holds these
 * very items, so that a form that comes twice at once orders once
 */
export async function startCheckout(
  ctx: Context,
  input: CheckoutInput,
  { resume: resume = false, shown: shown = null }: { resume?: boolean; shown?: string | null } = {},
): Promise<StartedCheckout & { payment: Payment }> {
  const { row, lines } = await findOrCreateCheckout(ctx, input, { resume, shown })
  const payment = row.paymentId
    ? await ctx.payments.findPayment(row.paymentId)
    : await startPayment(ctx, row, () =>
        ctx.payments.createPayment({ checkoutId: row.id, amountCents: row.amountCents }),
      )
  if (!payment) throw new Error('The provider has lost a payment of ours.')
  if (
    !row.paymentId &&
    !(await setCheckoutPayment(ctx.db, { id: row.id, paymentId: payment.id, sessionId: null, now: ctx.now }))
  ) {
    await ctx.payments.cancelPayment(payment.id)
    throw new AppError('CONFLICT', 'You began another checkout at the same time. Please try again.')
  }
  return { checkoutId: row.id, totalCents: row.amountCents, lines, payment }
}

/** The same for the form of the cart, to be paid on the provider's own page. @param said what was seen, and where that page leads to */
export async function startHostedCheckout(
  ctx: Context,
  input: CheckoutInput,
  { shown, ...urls }: { shown: string; successUrl: string; cancelUrl: string },
): Promise<StartedCheckout & { session: HostedSession }> {
  const { hosted } = ctx.payments
  if (!hosted) throw new Error('This provider has no page of its own.')
  const { row, lines } = await findOrCreateCheckout(ctx, input, { resume: false, shown })
  const session = await startPayment(ctx, row, () =>
    hosted.createSession({
      checkoutId: row.id,
      amountCents: row.amountCents,
      expiresAt: row.expiresAt,
      ...urls,
    }),
  )
  if (!(await setCheckoutPayment(ctx.db, { id: row.id, paymentId: null, sessionId: session.id, now: ctx.now }))) {
    await hosted.expireSession(session.id)
    throw new AppError('CONFLICT', 'You began another checkout at the same time. Please try again.')
  }
  return { checkoutId: row.id, totalCents: row.amountCents, lines, session }
}

/** Asks the provider for something to pay. When it fails, nothing is held, unless the same form, sent twice, has got its payment: nobody can pay what nobody was told of. */
async function startPayment<T>(ctx: Context, row: CheckoutRow, create: () => Promise<T>): Promise<T> {
  try {
    return await create()
  } catch (error) {
    await inTransaction(ctx, (ctx) => releaseCheckout(ctx, row, 'cancelled'))
    if (toAppError(error).code !== 'UNAVAILABLE') throw error
    throw new AppError('UNAVAILABLE', checkoutMessages.cannotStart, { cause: error, retryAfter: 5 })
  }
}

type CreatedCheckout = { row: CheckoutRow; lines: FrozenLine[] }

async function findOrCreateCheckout(
  ctx: Context,
  input: CheckoutInput,
  { resume, shown }: { resume: boolean; shown: string | null },
): Promise<CreatedCheckout> {
  const user = requireUser(ctx)
  const items = normalizeItems(input.items)
  const matchesShown = (lines: FrozenLine[]) => shown === null || fingerprintOf(lines) === shown
  await limitRate(ctx, 'checkout', user.id)
  if (input.prescriptionId !== null) await requireUsablePrescription(ctx, user.id, input.prescriptionId)
  // Few have one open, and whoever has is found out by beginning another: only what may go on with it looks first.
  let previous = resume ? await findOpenCheckout(ctx.db, user.id) : null
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const same = resume && previous ? await linesIfUnchanged(ctx, previous, items) : null
    const lines = same && matchesShown(same) ? same : null
    if (previous && lines && !previous.sessionId && previous.expiresAt > ctx.now) {
      const row = await resumeCheckout(ctx, previous, input)
      if (row) return { row, lines }
    }
    const cancellation = previous && (await cancelCheckoutPayment(ctx, previous))
    // Paid in another tab, or by a browser that was lost on the way back: it must not be paid again.
    if (previous && lines && cancellation === 'succeeded') return { row: previous, lines }
    if (cancellation === 'processing') {
      throw new AppError('CONFLICT', 'Your last payment is still under way. Please wait a moment.')
    }
    const created = await inTransaction(ctx, async (ctx) => {
      const { db, now } = ctx
      const customerLock = lockCustomer(db, user.id, previous)
      if (previous) await customerLock
      if (previous && cancellation === 'canceled') {
        const releasedLines = openFrozen(ctx.keys, previous).lines
        await lockVariants(
          db,
          [...releasedLines, ...items].map((line) => line.productVariantId),
        )
        await releaseCheckout(ctx, previous, 'cancelled')
      }
      if (previous && cancellation === 'succeeded') {
        await updateCheckoutStatus(db, { id: previous.id, from: 'open', to: 'paid', checkAt: now, now })
      }
      const created = await createCheckout(ctx, items, input, customerLock)
      // Only now: a form that came first, and orders meanwhile, has emptied the cart by the time that a second checkout can open.
      const isCart = shown === null || (await cartContains(db, user.id, items))
      if (!isCart || !matchesShown(created.lines)) throw new AppError('CONFLICT', checkoutMessages.cartChanged)
      return created
    }).catch(nullIfConcurrent)
    if (created) return created
    previous = await findOpenCheckout(ctx.db, user.id)
  }
  throw new AppError('CONFLICT', 'You began another checkout at the same time. Please try again.')
}

/** Thrown to take back what was reserved for a checkout that came second. */
class ConcurrentCheckoutError extends Error {}

function nullIfConcurrent(error: unknown): null {
  if (error instanceof ConcurrentCheckoutError) return null
  throw error
}

/** Comes first: of two checkouts of one user the second would hold the stock that the first waits for. */
async function lockCustomer(db: Db, userId: string, previous: CheckoutRow | null): Promise<void> {
  const [isThere, open] = await together(lockUser(db, userId), findOpenCheckout(db, userId))
  if (!isThere) throw new AppError('UNAUTHENTICATED')
  // It may be becoming an order, which waits for the stock that this one would hold.
  if (open && open.id !== previous?.id) throw new ConcurrentCheckoutError()
}

async function cartContains(db: Db, userId: string, items: readonly CheckoutItem[]): Promise<boolean> {
  const cartItems = await listUserCartItems(db, userId)
  const quantities = new Map(items.map(({ productVariantId, quantity }) => [productVariantId, quantity]))
  return (
    cartItems.length >= quantities.size &&
    [...quantities].every(([id, quantity]) =>
      cartItems.some((line) => line.variantId === id && line.quantity === quantity),
    )
  )
}

async function createCheckout(
  ctx: Context,
  items: readonly CheckoutItem[],
  { shipTo, prescriptionId }: CheckoutInput,
  customerLock: Promise<void>,
): Promise<CreatedCheckout> {
  const user = requireUser(ctx)
  const { db, keys, now, shop } = ctx
  const [, lines] = await together(customerLock, freezeLines(ctx, items))
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
  if (!(await insertCheckout(db, row))) throw new ConcurrentCheckoutError()
  return { row, lines }
}

/** The lines of an open checkout when they are these at today's prices; else null. */
async function linesIfUnchanged(
  ctx: Context,
  previous: CheckoutRow,
  items: readonly CheckoutItem[],
): Promise<FrozenLine[] | null> {
  const { lines } = openFrozen(ctx.keys, previous)
  const quantities = new Map(items.map(({ productVariantId, quantity }) => [productVariantId, quantity]))
  const offers = await listOffers(ctx.db, [...quantities.keys()])
  const prices = new Map(offers.map(({ id, priceCents }) => [id, priceCents]))
  const isSame =
    lines.length === items.length &&
    lines.every(
      ({ productVariantId: id, quantity, priceCents }) =>
        quantities.get(id) === quantity && prices.get(id) === priceCents,
    )
  return isSame ? lines : null
}

/** Puts another address and prescription into an open checkout, and holds it anew; null when it is open no longer. */
async function resumeCheckout(
  ctx: Context,
  previous: CheckoutRow,
  { shipTo, prescriptionId }: CheckoutInput,
): Promise<CheckoutRow | null> {
  const frozen = openFrozen(ctx.keys, previous)
  const sealedFrozen = sealFrozen(ctx.keys, previous.id, { ...frozen, shipTo, prescriptionId })
  const expiresAt = new Date(ctx.now.getTime() + ctx.shop.holdSeconds * 1000)
  const isOpen = await updateFrozen(ctx.db, { id: previous.id, sealedFrozen, expiresAt, now: ctx.now })
  return isOpen ? { ...previous, sealedFrozen, expiresAt } : null
}
