import { AppError } from '#domain/errors.ts'
import type { Stripe } from 'stripe'
import { z } from 'zod'
import type { PaymentEvent } from './payments.ts'

/** How old a signature may be (https://docs.stripe.com/webhooks/signature). */
const toleranceSeconds = 300

const id = z.string().min(1).max(255)
/** An id, or the whole object where an endpoint has it expanded. */
const reference = z.union([id, z.object({ id }).transform((object) => object.id)]).nullish()

const eventSchema = z.object({
  id,
  type: id,
  data: z.object({
    object: z.object({ object: z.string(), id: id.nullish(), payment_intent: reference }),
  }),
})

/**
 * Reads a webhook of Stripe's: one signature of the header must be right for these very bytes, and no older than 300 s. While a secret is replaced Stripe signs with
 * the old and the new one. Throws BAD_REQUEST for anything else.
 */
export function readStripeEvent(
  { webhooks }: Stripe,
  {
    rawBody,
    signature,
    secret,
    now,
  }: { rawBody: string; signature: string | null; secret: string; now: Date },
): PaymentEvent {
  let told: unknown
  try {
    told = webhooks.constructEvent(
      rawBody,
      signature ?? '',
      secret,
      toleranceSeconds,
      undefined,
      now.getTime(),
    )
  } catch (error) {
    throw new AppError('BAD_REQUEST', 'The signature is missing, wrong or too old.', { cause: error })
  }
  const event = eventSchema.safeParse(told)
  if (!event.success) throw new AppError('BAD_REQUEST', 'This is no event.')
  const { object } = event.data.data
  return {
    id: event.data.id,
    type: event.data.type,
    paymentId: (object.object === 'payment_intent' ? object.id : object.payment_intent) ?? null,
    sessionId: object.object === 'checkout.session' ? (object.id ?? null) : null,
  }
}
