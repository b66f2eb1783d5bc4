import { AppError } from '#domain/errors.ts'
import type { Stripe } from 'stripe'
import { z } from 'zod'
import type { PaymentEvent } from './payments.ts'

/**
 * How far a signature's time may be from the shop's clock. Stripe's library refuses old signatures
 * only (https://docs.stripe.com/webhooks/signature), so a later time is checked here.
 */
const toleranceSeconds = 300

const id = z.string().min(1).max(255)
/** An id, or the whole object when the endpoint expands it. */
const reference = z.union([id, z.object({ id }).transform((object) => object.id)]).nullish()

const eventSchema = z.object({
  id,
  type: id,
  data: z.object({
    object: z.object({ object: z.string(), id: id.nullish(), payment_intent: reference }),
  }),
})

/**
 * Verifies and parses a Stripe webhook. One signature of the header must match the exact bytes, at
 * most 300 s before or after now: Stripe signs with both secrets while one is replaced. Throws
 * BAD_REQUEST.
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
  let verified: unknown
  try {
    verified = webhooks.constructEvent(
      rawBody,
      signature ?? '',
      secret,
      toleranceSeconds,
      undefined,
      now.getTime(),
    )
  } catch (error) {
    throw new AppError('BAD_REQUEST', 'The signature is missing, invalid or too old.', { cause: error })
  }
  if (isFromFuture(signature ?? '', now)) {
    throw new AppError('BAD_REQUEST', 'The signature’s time is in the future. Check the clock.')
  }
  const event = eventSchema.safeParse(verified)
  if (!event.success) throw new AppError('BAD_REQUEST', 'The body is not an event.')
  const { object } = event.data.data
  return {
    id: event.data.id,
    type: event.data.type,
    paymentId: (object.object === 'payment_intent' ? object.id : object.payment_intent) ?? null,
    sessionId: object.object === 'checkout.session' ? (object.id ?? null) : null,
  }
}

/** Checks every time in the header: the library takes the last one. */
const isFromFuture = (signature: string, now: Date): boolean =>
  [...signature.matchAll(/(?:^|,)t=(\d+)/g)].some(
    ([, seconds]) => Number(seconds) - now.getTime() / 1000 > toleranceSeconds,
  )
