import { markEventHandled, insertPaymentEvent, claimPaymentEvent } from '#db/checkout/payment-events.ts'
import { AppError, statusOf } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import type { PaymentEvent } from '../integrations/payments/payments.ts'
import { finalizeCheckout } from './finalize-checkout.ts'

/** How long whoever took an event has it for themselves; a handling ends long before. */
export const eventLeaseMs = 60_000

/** The money is there (https://docs.stripe.com/api/events/types). */
const successEvents = new Set([
  'payment_intent.succeeded',
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
])

/** What no program settles: money that did not go back, or that a bank takes back. */
const attentionEvents = new Set(['refund.failed', 'charge.dispute.created', 'charge.dispute.closed'])

/**
 * Takes a webhook. The event is stored before anything is done about it, so that it is handled once, and handled although this process dies.
 * Throws BAD_REQUEST when its signature is not good, and what kept it from being handled: then it is to be sent again.
 * @param rawBody the very text that was signed
 */
export async function receivePaymentEvent(
  ctx: Context,
  { rawBody, signature }: { rawBody: string; signature: string | null },
): Promise<void> {
  const event = ctx.payments.readEvent(rawBody, signature, ctx.now)
  const isNew = await insertPaymentEvent(ctx.db, { ...event, receivedAt: ctx.now })
  if (isNew || (await claimEvent(ctx, event.id))) await handlePaymentEvent(ctx, event)
}

/** Takes an event that lies unhandled longer than anybody works on it. */
export const claimEvent = ({ db, now }: Pick<Context, 'db' | 'now'>, id: string): Promise<boolean> =>
  claimPaymentEvent(db, { id, now, before: new Date(now.getTime() - eventLeaseMs) })

/** Does what an event asks for, whatever became of it meanwhile, and notes that it is handled. */
export async function handlePaymentEvent(ctx: Context, event: PaymentEvent): Promise<void> {
  const { id, type, paymentId } = event
  if (successEvents.has(type) && paymentId !== null) await finalize(ctx, event, paymentId)
  if (attentionEvents.has(type)) {
    ctx.log.error(
      { eventId: id, type, paymentId },
      'the provider tells of something that somebody has to look at',
    )
  }
  await markEventHandled(ctx.db, { id, now: ctx.now })
}

/** A refusal is an answer, too: the payment is not ours, or not paid any more, or is given back. */
async function finalize(ctx: Context, { id, type }: PaymentEvent, paymentId: string): Promise<void> {
  try {
    await finalizeCheckout(ctx, paymentId)
  } catch (error) {
    if (!(error instanceof AppError) || statusOf(error.code) >= 500) throw error
    ctx.log.info({ eventId: id, type, paymentId, code: error.code }, 'an event made no order')
  }
}
