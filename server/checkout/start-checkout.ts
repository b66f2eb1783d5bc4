import { setCheckoutPayment, type CheckoutRow } from '#db/checkout/checkouts.ts'
import * as checkoutMessages from '#domain/checkout/checkout-messages.ts'
import { captureMethodOf, type FrozenLine } from '#domain/checkout/checkout.ts'
import { inTransaction, type Context } from '../context.ts'
import { AppError } from '#domain/errors.ts'
import { toAppError } from '../errors.ts'
import { runLimited } from '../limit-rate.ts'
import { requireUser } from '../require-user.ts'
import type { Payment } from '../integrations/payments/payments.ts'
import { concurrentCheckout, findOrCreateCheckout, type CheckoutInput } from './create-checkout.ts'
import { releaseCheckout } from './release-checkout.ts'

export type StartedCheckout = { checkoutId: string; totalCents: number; lines: FrozenLine[] }

/**
 * Freezes the items, reserves their stock for `ctx.shop.holdSeconds` and creates the payment.
 * Cancels the customer's previous open checkout and releases its stock, unless it has been paid.
 * Returns a paid one of the same lines with its payment. Throws UNAUTHENTICATED, INVALID (items,
 * prescriptionId, shippingAddress), CONFLICT when an item cannot be reserved, TOO_MANY, and
 * UNAVAILABLE when the provider fails.
 * @param resume whether to reuse an open checkout of the same lines and prices, with this address
 * and prescription: the customer has sent the same form again
 * @param seenFingerprint from `computeFingerprint`, for the cart's form: the lines that the
 * customer saw. Prices must be the same, and the cart must still contain the items, so that a form
 * sent twice orders once.
 */
export async function startCheckout(
  ctx: Context,
  input: CheckoutInput,
  options: { resume?: boolean; seenFingerprint?: string | null } = {},
): Promise<StartedCheckout & { payment: Payment }> {
  return runLimited(ctx, 'checkout', requireUser(ctx).id, () =>
    withStartMessage(() => startWithPayment(ctx, input, options)),
  )
}

async function startWithPayment(
  ctx: Context,
  input: CheckoutInput,
  { resume = false, seenFingerprint = null }: { resume?: boolean; seenFingerprint?: string | null },
): Promise<StartedCheckout & { payment: Payment }> {
  const { row, lines } = await findOrCreateCheckout(ctx, input, { resume, seenFingerprint })
  const payment = row.paymentId
    ? await ctx.payments.findPayment(row.paymentId)
    : await startPayment(ctx, row, () =>
        ctx.payments.createPayment({
          checkoutId: row.id,
          amountCents: row.amountCents,
          capture: captureMethodOf(lines),
        }),
      )
  if (!payment) throw new Error('The provider has no record of this payment.')
  if (
    !row.paymentId &&
    !(await setCheckoutPayment(ctx.db, { id: row.id, paymentId: payment.id, sessionId: null, now: ctx.now }))
  ) {
    await ctx.payments.cancelPayment(payment.id)
    throw concurrentCheckout()
  }
  return { checkoutId: row.id, totalCents: row.amountCents, lines, payment }
}

/**
 * Like `startCheckout` for the cart's form, with a payment on the provider's own page. Throws
 * CONFLICT when the same lines have been paid: the form sent again finds that payment.
 */
export async function startHostedCheckout(
  ctx: Context,
  input: CheckoutInput,
  options: HostedOptions,
): Promise<StartedCheckout & { pageUrl: string }> {
  const { hosted } = ctx.payments
  if (!hosted) throw new Error('This provider has no payment page.')
  return runLimited(ctx, 'checkout', requireUser(ctx).id, () =>
    withStartMessage(() => startWithPage(ctx, hosted, input, options)),
  )
}

type HostedOptions = { seenFingerprint: string; successUrl: string; cancelUrl: string }

async function startWithPage(
  ctx: Context,
  hosted: NonNullable<Context['payments']['hosted']>,
  input: CheckoutInput,
  { seenFingerprint, ...urls }: HostedOptions,
): Promise<StartedCheckout & { pageUrl: string }> {
  const { row, lines } = await findOrCreateCheckout(ctx, input, { resume: false, seenFingerprint })
  const session = await startPayment(ctx, row, () =>
    hosted.createSession({
      checkoutId: row.id,
      amountCents: row.amountCents,
      capture: captureMethodOf(lines),
      expiresAt: row.expiresAt,
      ...urls,
    }),
  )
  const reference = { id: row.id, paymentId: null, sessionId: session.id }
  if (!(await setCheckoutPayment(ctx.db, { ...reference, now: ctx.now }))) {
    await hosted.expireSession(session.id)
    throw concurrentCheckout()
  }
  if (session.url === null) throw new AppError('UNAVAILABLE')
  return { checkoutId: row.id, totalCents: row.amountCents, lines, pageUrl: session.url }
}

/**
 * Creates the payment at the provider. On failure it releases the reservation, unless a concurrent
 * copy of the form has set a payment: the customer may pay that one. Throws CONFLICT for a checkout
 * that has a payment or page: it has been paid.
 */
async function startPayment<T>(ctx: Context, row: CheckoutRow, create: () => Promise<T>): Promise<T> {
  if (row.paymentId !== null || row.sessionId !== null) throw concurrentCheckout()
  try {
    return await create()
  } catch (error) {
    await inTransaction(ctx, (ctx) => releaseCheckout(ctx, row, 'cancelled'))
    // A connection that breaks here is the provider's, not the database's.
    const appError = toAppError(error)
    throw appError.code === 'UNAVAILABLE' ? appError : error
  }
}

/**
 * The documented message of a provider that fails, also while it ends the previous payment. A
 * database that is away throws no AppError.
 */
async function withStartMessage<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'UNAVAILABLE') throw error
    const { cause = error, retryAfter = 5 } = error
    throw new AppError('UNAVAILABLE', checkoutMessages.cannotStart, { cause, retryAfter })
  }
}
