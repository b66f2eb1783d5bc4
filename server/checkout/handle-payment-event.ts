import { markEventHandled, insertPaymentEvent, claimPaymentEvent } from '#db/checkout/payment-events.ts'
import { findPaymentHold } from '#db/orders/payment-holds.ts'
import { AppError, httpStatus } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import type { PaymentEvent } from '../integrations/payments/payments.ts'
import { finalizeCheckout } from './finalize-checkout.ts'
import { settleHold } from './settle-hold.ts'

/** How long a process keeps a claimed event. Handling takes far less. */
export const eventLeaseMs = 60_000

/** The payment succeeded or is authorized (https://docs.stripe.com/api/events/types). */
const successEvents = new Set([
  'payment_intent.succeeded',
  'payment_intent.amount_capturable_updated',
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
])

/** Something became of an authorization: captured, voided or lapsed, here or outside the shop. */
const holdEvents = new Set([
  'payment_intent.succeeded',
  'payment_intent.canceled',
  'charge.captured',
  'charge.expired',
])

/** Failed refunds and disputes: an admin must handle them. */
const attentionEvents = new Set(['refund.failed', 'charge.dispute.created', 'charge.dispute.closed'])

/**
 * Receives a webhook. Stores the event before handling it, so that it is handled once, even when
 * this process dies. Throws BAD_REQUEST for an invalid signature, and any error of the handling, so
 * that the provider sends the event again.
 * @param rawBody the exact text that was signed
 */
export async function receivePaymentEvent(
  ctx: Context,
  { rawBody, signature }: { rawBody: string; signature: string | null },
): Promise<void> {
  const event = ctx.payments.readEvent(rawBody, signature, ctx.now)
  const isNew = await insertPaymentEvent(ctx.db, { ...event, receivedAt: ctx.now })
  if (isNew || (await claimEvent(ctx, event.id))) await handlePaymentEvent(ctx, event)
}

/** Claims an event that has been unhandled for longer than the lease. */
export const claimEvent = ({ db, now }: Pick<Context, 'db' | 'now'>, id: string): Promise<boolean> =>
  claimPaymentEvent(db, { id, now, before: new Date(now.getTime() - eventLeaseMs) })

/** Handles an event, also a repeated or outdated one, and marks it as handled. */
export async function handlePaymentEvent(ctx: Context, event: PaymentEvent): Promise<void> {
  const { id, type, paymentId } = event
  if (successEvents.has(type) && paymentId !== null) await finalize(ctx, event, paymentId)
  if (holdEvents.has(type) && paymentId !== null) await settleHoldOf(ctx, paymentId)
  if (attentionEvents.has(type)) {
    ctx.log.error({ eventId: id, type, paymentId }, 'payment event needs attention')
  }
  await markEventHandled(ctx.db, { id, now: ctx.now })
}

/** The event is only a reason to ask the provider. */
async function settleHoldOf(ctx: Context, paymentId: string): Promise<void> {
  const hold = await findPaymentHold(ctx.db, paymentId)
  if (!hold || hold.dueAt === null) return
  const payment = await ctx.payments.findPayment(paymentId)
  if (payment) await settleHold(ctx, hold, payment)
}

/** A rejection also settles the event: the payment is not ours, is unpaid or is being refunded. */
async function finalize(ctx: Context, { id, type }: PaymentEvent, paymentId: string): Promise<void> {
  try {
    await finalizeCheckout(ctx, paymentId)
  } catch (error) {
    if (!(error instanceof AppError) || httpStatus(error.code) >= 500) throw error
    ctx.log.info({ eventId: id, type, paymentId, code: error.code }, 'payment event created no order')
  }
}
