import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { Stripe } from 'stripe'
import type { Capture, Payment } from './payments.ts'
import {
  callStripe,
  isMissing,
  isRejected,
  isReplayedError,
  isServerError,
  withKey,
  type CallOptions,
} from './stripe-client.ts'

/** Stripe's codes for an authorization that has lapsed before its intent shows it. */
const lapsedCodes = new Set(['charge_expired_for_capture', 'capture_charge_authorization_expired'])

type Retrieve = (id: string) => Promise<Payment>

/**
 * Captures an intent. Stripe captures it once, so the state of the intent says what happened, and
 * not an answer. Throws Stripe's error when it says nothing yet.
 */
export async function captureIntent(
  stripe: Stripe,
  { paymentId, amountCents, key }: { paymentId: string; amountCents: number; key: string },
  retrieve: Retrieve,
): Promise<Capture> {
  const { payment, error } = await settle(paymentId, key, retrieve, (options) =>
    stripe.paymentIntents.capture(paymentId, { amount_to_capture: amountCents }, options),
  )
  if (payment.status === 'succeeded') return { status: 'captured', payment }
  if (payment.status === 'canceled' || payment.status === 'unpaid' || payment.status === 'requires_action')
    return { status: 'lapsed', payment }
  if (payment.status === 'authorized' && isRefused(error)) {
    return { status: lapsedCodes.has(error.code ?? '') ? 'lapsed' : 'refused', payment }
  }
  throw error ?? new AppError('UNAVAILABLE')
}

/**
 * Cancels an intent that waits for its capture, also one of a payment page: Stripe allows that in
 * this state only. Throws Stripe's error while it is still authorized.
 */
export async function voidIntent(
  stripe: Stripe,
  { paymentId, key }: { paymentId: string; key: string },
  retrieve: Retrieve,
): Promise<Payment> {
  const { payment, error } = await settle(paymentId, key, retrieve, (options) =>
    stripe.paymentIntents.cancel(paymentId, {}, options),
  )
  if (payment.status === 'authorized') throw error ?? new AppError('UNAVAILABLE')
  return payment
}

/**
 * Makes a call and reads the intent afterwards, whatever Stripe answered. Throws when there was no
 * answer: the call may still arrive, so only a second one under the same key can settle it.
 */
async function settle(
  paymentId: string,
  key: string,
  retrieve: Retrieve,
  call: (options: Stripe.RequestOptions) => Promise<unknown>,
): Promise<{ payment: Payment; error: unknown }> {
  const attempt = async (idempotencyKey: string): Promise<unknown> => {
    try {
      await callStripe((options: CallOptions) => call(withKey(idempotencyKey, options)))
      return null
    } catch (error) {
      if (isMissing(error)) throw new AppError('NOT_FOUND', 'Payment not found')
      if (isRefused(error) || isServerError(error)) return error
      throw error
    }
  }
  const error = await attempt(key)
  const payment = await retrieve(paymentId)
  // Stripe repeats the first failure of a key for a day, although its cause may be gone.
  if (payment.status !== 'authorized' || !isReplayedError(error)) return { payment, error }
  return { error: await attempt(`${key}:${newId()}`), payment: await retrieve(paymentId) }
}

/** Whether Stripe or the card's bank refused the call. */
const isRefused = (error: unknown): error is Stripe.errors.StripeError =>
  isRejected(error) || (error instanceof Stripe.errors.StripeError && error.statusCode === 402)
