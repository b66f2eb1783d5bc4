import { AppError } from '#domain/errors.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { Stripe } from 'stripe'
import { withTimeout } from '../../with-timeout.ts'

/** The timeout of a call, including the retry and its pause (contract, "Payment and orders"). */
const callTimeoutMs = 8000
const retryPauseMs = 400
/** The minimum time left to start a retry. */
const minRetryMs = 1000
/** Seconds, for the Retry-After header when Stripe fails. */
const retryAfter = 10

export type CallOptions = { timeout: number; maxNetworkRetries: number }

/**
 * Opens Stripe's client with the API version of the library, independent of the account's version.
 * @param apiUrl the origin of a mock server, null for Stripe itself
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
 * Calls Stripe and retries a transient failure once; both end within 8 s. The client's own retries
 * cannot do this: its timeout applies to each attempt and to socket silence only. Throws Stripe's
 * error unchanged.
 */
export async function callStripe<T>(call: (options: CallOptions) => Promise<T>): Promise<T> {
  const endsAt = performance.now() + callTimeoutMs
  const attempt = (): Promise<T> => {
    const remainingMs = Math.max(1, Math.ceil(endsAt - performance.now()))
    return withTimeout(remainingMs, call({ timeout: remainingMs, maxNetworkRetries: 0 }), noResponse)
  }
  try {
    return await attempt()
  } catch (error) {
    if (!isTransient(error) || endsAt - performance.now() < minRetryMs + retryPauseMs) throw error
    await sleep(retryPauseMs)
    return attempt()
  }
}

const noResponse = (): Error =>
  new Stripe.errors.StripeConnectionError({ type: 'api_error', message: 'No response in time.' })

/** Whether a retry may succeed. The client itself has already retried a closed connection. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false
  if (error instanceof Stripe.errors.StripeConnectionError)
    return !/reset|EPIPE|hang up/i.test(errorDetail(error))
  const shouldRetry = error.headers?.['stripe-should-retry']
  if (shouldRetry === 'true' || shouldRetry === 'false') return shouldRetry === 'true'
  return error.statusCode === 409 || (error.statusCode ?? 0) >= 500
}

const errorDetail = ({ detail }: Stripe.errors.StripeError): string => String(detail ?? '')

/** Whether Stripe rejected the request itself: a retry would be rejected too. */
export const isRejected = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeError &&
  (error.statusCode === 400 || error.statusCode === 404) &&
  // The Stripe balance may be topped up later.
  error.code !== 'balance_insufficient' &&
  error.code !== 'rate_limit'

/** Whether Stripe itself failed: it may have acted or not. */
export const isServerError = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && (error.statusCode ?? 0) >= 500

export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.statusCode === 404

/** Whether Stripe replayed the stored answer of the idempotency key, up to a day old. */
export const isReplay = ({ lastResponse }: Stripe.Response<unknown>): boolean =>
  lastResponse.headers['idempotent-replayed'] === 'true'

/** The same for a stored failure, whose cause may be gone by now. */
export const isReplayedError = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.headers?.['idempotent-replayed'] === 'true'

export const withKey = (idempotencyKey: string, options: CallOptions): Stripe.RequestOptions => ({
  ...options,
  idempotencyKey,
})

/**
 * Maps an error of Stripe to UNAVAILABLE. The cause has only ids and codes, because the rest may
 * identify the customer. Other errors are returned unchanged.
 */
export function toUnavailable(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  const { type, code = '-', statusCode = '-', requestId = '-' } = error
  const cause = new Error(`Stripe: ${type} ${statusCode} ${code} ${requestId}`)
  return new AppError('UNAVAILABLE', undefined, { retryAfter, cause })
}
