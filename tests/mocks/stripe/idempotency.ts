import { StripeMockError } from './mock-error.ts'

const retentionMs = 24 * 3600_000

export type StoredResponse = { status: number; body: string }
type Entry = { path: string; form: string; at: number; stored: StoredResponse | null }

/**
 * Stripe's idempotency keys (https://docs.stripe.com/api/idempotent_requests): stores the status
 * and body of the first call, failures included, for 24 hours. Rejects the key of another call and
 * a key in use.
 */
export function idempotencyKeys(now: () => Date) {
  const entries = new Map<string, Entry>()

  /** The stored response, or null when the call must run; `finish` then stores its response. */
  function start(
    key: string,
    path: string,
    form: string,
  ): { stored: StoredResponse | null; finish: (stored: StoredResponse | null) => void } {
    const entry = entries.get(key)
    if (!entry || now().getTime() - entry.at >= retentionMs) {
      const created: Entry = { path, form, at: now().getTime(), stored: null }
      entries.set(key, created)
      const finish = (stored: StoredResponse | null): void => {
        created.stored = stored
        if (stored === null) entries.delete(key)
      }
      return { stored: null, finish }
    }
    const mismatch = (what: string): StripeMockError =>
      new StripeMockError(
        400,
        `Keys for idempotent requests can only be used ${what} they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        { type: 'idempotency_error' },
      )
    if (entry.path !== path) throw mismatch(`for the same endpoint ('${entry.path}')`)
    if (entry.form !== form) throw mismatch('with the same parameters')
    if (!entry.stored) {
      throw new StripeMockError(
        409,
        'There is currently another in-progress request using this Stripe account and idempotency key. Please try again later.',
        { type: 'idempotency_error', code: 'idempotency_key_in_use' },
      )
    }
    return { stored: entry.stored, finish: () => {} }
  }

  return { start }
}
