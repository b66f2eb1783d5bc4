import {
  findOpenCheckout,
  insertCheckout,
  listOffers,
  moveCheckout,
  refreeze,
  setPayment,
  type CheckoutRow,
} from '#db/checkouts.ts'
import { displayName } from '#domain/accounts.ts'
import { checkoutWords, totalOf, type Frozen, type FrozenLine, type ShipTo } from '#domain/checkout.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { requireUser } from '../accounts/require-user.ts'
import { inTransaction, type Context } from '../context.ts'
import { toAppError } from '../errors.ts'
import type { HostedSession, Payment } from '../integrations/payments/payments.ts'
import { requirePrescription } from './check-prescription.ts'
import { freezeLines, readItems, type AskedItem } from './freeze-lines.ts'
import { releaseCheckout } from './release-checkout.ts'
import { openFrozen, sealFrozen } from './sealed-checkout.ts'
import { stopPayment } from './stop-payment.ts'

export type CheckoutInput = {
  items: readonly AskedItem[]
  shipTo: ShipTo | null
  prescriptionId: string | null
}

/** A frozen checkout and what pays it: a payment, or a hosted page. */
export type OpenedCheckout = { checkoutId: string; totalCents: number; lines: FrozenLine[] }

/** The first look of the reconciler: whoever pays has mostly come back by then (contract, "Payment and orders"). */
const firstCheckMs = 30_000
/** Of two checkouts of one user at once the second tries again, after the first. */
const maxTries = 5

/**
 * Freezes what somebody is about to pay, reserves it for `ctx.shop.holdSeconds`, and makes the payment. Their checkout from before is
 * cancelled and what it held is free again, unless it was paid meanwhile. Throws UNAUTHENTICATED, INVALID (items, prescriptionId,
 * shippingAddress), CONFLICT when something cannot be reserved, UNAVAILABLE when the provider fails.
 * @param keep whether an open checkout of the same lines and prices goes on, with this address and prescription: the same form again
 */
export async function openCheckout(
  ctx: Context,
  input: CheckoutInput,
  { keep = false }: { keep?: boolean } = {},
): Promise<OpenedCheckout & { payment: Payment }> {
  const { row, lines } = await freeze(ctx, input, keep)
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

/** The same, to be paid on the provider's own page. @param urls where that page leads to */
export async function openHostedCheckout(
  ctx: Context,
  input: CheckoutInput,
  urls: { successUrl: string; cancelUrl: string },
): Promise<OpenedCheckout & { session: HostedSession }> {
  const { hosted } = ctx.payments
  if (!hosted) throw new Error('This provider has no page of its own.')
  const { row, lines } = await freeze(ctx, input, false)
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

/** Asks the provider for something to pay. When it fails, nothing is held: nobody can pay what nobody was told of. */
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

async function freeze(ctx: Context, input: CheckoutInput, keep: boolean): Promise<FrozenCheckout> {
  const user = requireUser(ctx)
  const items = readItems(input.items)
  if (input.prescriptionId !== null) await requirePrescription(ctx, user.id, input.prescriptionId)
  for (let tries = 0; tries < maxTries; tries++) {
    const old = await findOpenCheckout(ctx.db, user.id)
    const kept = keep && old ? await goOn(ctx, old, items, input) : null
    if (kept) return kept
    const stopped = old && (await stopPayment(ctx, old))
    if (stopped === 'processing') {
      throw new AppError('CONFLICT', 'Your last payment is still under way. Please wait a moment.')
    }
    const begun = await inTransaction(ctx, async (ctx) => {
      const { db, now } = ctx
      if (old && stopped === 'canceled') await releaseCheckout(ctx, old, 'cancelled')
      if (old && stopped === 'succeeded') {
        await moveCheckout(db, { id: old.id, from: 'open', to: 'paid', checkAt: now, now })
      }
      return begin(ctx, items, input)
    }).catch(orNullIfTaken)
    if (begun) return begun
  }
  throw new AppError('CONFLICT', 'You began another checkout at the same time. Please try again.')
}

/** Thrown to take back what was reserved for a checkout that came second. */
class Taken extends Error {}

function orNullIfTaken(error: unknown): null {
  if (error instanceof Taken) return null
  throw error
}

async function begin(
  ctx: Context,
  items: readonly AskedItem[],
  { shipTo, prescriptionId }: CheckoutInput,
): Promise<FrozenCheckout> {
  const user = requireUser(ctx)
  const { db, keys, now, shop } = ctx
  const lines = await freezeLines(ctx, items)
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
    checkAt: new Date(now.getTime() + Math.min(firstCheckMs, shop.holdSeconds * 1000)),
    updatedAt: now,
  }
  if (!(await insertCheckout(db, row))) throw new Taken()
  return { row, lines }
}

/** The open checkout of the same lines at the same prices, with this address and prescription from now on; null when it is another. */
async function goOn(
  ctx: Context,
  old: CheckoutRow,
  items: readonly AskedItem[],
  { shipTo, prescriptionId }: CheckoutInput,
): Promise<FrozenCheckout | null> {
  if (!old.paymentId || old.expiresAt <= ctx.now) return null
  const frozen = openFrozen(ctx.keys, old)
  const isSame =
    frozen.lines.length === items.length &&
    frozen.lines.every(
      ({ productVariantId, quantity }, i) =>
        items[i]?.productVariantId === productVariantId && items[i].quantity === quantity,
    )
  if (!isSame || !(await pricesStand(ctx, frozen.lines))) return null
  const sealedFrozen = sealFrozen(ctx.keys, old.id, { ...frozen, shipTo, prescriptionId })
  const expiresAt = new Date(ctx.now.getTime() + ctx.shop.holdSeconds * 1000)
  const isOpen = await refreeze(ctx.db, { id: old.id, sealedFrozen, expiresAt, now: ctx.now })
  return isOpen ? { row: { ...old, sealedFrozen, expiresAt }, lines: frozen.lines } : null
}

async function pricesStand(ctx: Context, lines: readonly FrozenLine[]): Promise<boolean> {
  const offers = await listOffers(
    ctx.db,
    lines.map((line) => line.productVariantId),
  )
  const prices = new Map(offers.map(({ id, priceCents }) => [id, priceCents]))
  return lines.every((line) => prices.get(line.productVariantId) === line.priceCents)
}
