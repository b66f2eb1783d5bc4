import { AppError } from '#domain/errors.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { Stripe } from 'stripe'

/** One call of the shop's, its retry and the pause before it included (contract, "Payment and orders"). */
const limitMs = 8000
const retryPauseMs = 400
/** With less left no retry is begun. */
const leastMs = 1000
/** Seconds after which somebody who was told that Stripe fails may try again. */
const retryAfter = 10

export type CallOptions = { timeout: number; maxNetworkRetries: number }

/**
 * Stripe's own client, under the API version that it was made for, whatever the account's is.
 * @param apiUrl a stand-in's origin, null for Stripe itself
 */
export function openStripe(secretKey: string, apiUrl: string | null): Stripe {
  const url = apiUrl === null ? null : new URL(apiUrl)
  return new Stripe(secretKey, {
    telemetry: false,
    maxNetworkRetries: 0,
    ...(url && {
      host: url.hostname,
      port: url.port || (url.protocol === 'http:' ? 80 : 443),
      protocol: url.protocol === 'http:' ? 'http' : 'https',
    }),
  })
}

/**
 * Calls Stripe, and once more when the first time failed in passing: both together end within 8 s. Retries are ours and not the client's, whose
 * limit is one of silence on a socket, for each of them. Throws Stripe's error as it is.
 */
export async function askStripe<T>(call: (options: CallOptions) => Promise<T>): Promise<T> {
  const endsAt = performance.now() + limitMs
  const tryOnce = (): Promise<T> => {
    const left = Math.max(1, Math.ceil(endsAt - performance.now()))
    return within(left, call({ timeout: left, maxNetworkRetries: 0 }))
  }
  try {
    return await tryOnce()
  } catch (error) {
    if (!mayPass(error) || endsAt - performance.now() < leastMs + retryPauseMs) throw error
    await sleep(retryPauseMs)
    return tryOnce()
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const ending = new AbortController()
  const tooLate = async (): Promise<never> => {
    await sleep(ms, undefined, { signal: ending.signal })
    throw new Stripe.errors.StripeConnectionError({ type: 'api_error', message: 'No answer in time.' })
  }
  try {
    return await Promise.race([work, tooLate()])
  } finally {
    ending.abort()
  }
}

/** Whether the same call may do better at once. What was closed on us the client has already sent a second time. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false
  if (error instanceof Stripe.errors.StripeConnectionError)
    return !/reset|EPIPE|hang up/i.test(detailOf(error))
  const asked = error.headers?.['stripe-should-retry']
  if (asked === 'true' || asked === 'false') return asked === 'true'
  return error.statusCode === 409 || (error.statusCode ?? 0) >= 500
}

const detailOf = ({ detail }: Stripe.errors.StripeError): string => String(detail ?? '')

/** A refusal of the request itself: asked again it would be refused again. */
export const isRefused = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeError &&
  (error.statusCode === 400 || error.statusCode === 404) &&
  // Stripe's balance may be filled up again.
  error.code !== 'balance_insufficient' &&
  error.code !== 'rate_limit'

export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.statusCode === 404

/** Whether Stripe answered what it had kept under the idempotency key, which may be as old as a day. */
export const isReplay = ({ lastResponse }: Stripe.Response<unknown>): boolean =>
  lastResponse.headers['idempotent-replayed'] === 'true'

/**
 * What a failure of Stripe's is to the shop: UNAVAILABLE, with no more of its answer than ids and codes, as the rest may say who pays. Another's error stays
 * itself.
 * @param sentence what the customer reads
 */
export function toUnavailable(error: unknown, sentence?: string): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  const { type, code = '-', statusCode = '-', requestId = '-' } = error
  const cause = new Error(`Stripe: ${type} ${statusCode} ${code} ${requestId}`)
  return new AppError('UNAVAILABLE', sentence, { retryAfter, cause })
}
