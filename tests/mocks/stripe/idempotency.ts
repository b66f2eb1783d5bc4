import { StripeRefusal } from './refusal.ts'

const keptMs = 24 * 3600_000

export type Kept = { status: number; body: string }
type Entry = { path: string; form: string; at: number; kept: Kept | null }

/**
 * What Stripe keeps under idempotency keys (https://docs.stripe.com/api/idempotent_requests): the status and the body of the first call
 * that was begun, failures included, for 24 hours. The key of another call is refused, and so is one that is in use.
 */
export function idempotencyKeys(now: () => Date) {
  const entries = new Map<string, Entry>()

  /** What is kept under the key, or null when the call is to be begun; then `end` keeps its outcome. */
  function begin(
    key: string,
    path: string,
    form: string,
  ): { kept: Kept | null; end: (kept: Kept | null) => void } {
    const entry = entries.get(key)
    if (!entry || now().getTime() - entry.at >= keptMs) {
      const begun: Entry = { path, form, at: now().getTime(), kept: null }
      entries.set(key, begun)
      const end = (kept: Kept | null): void => {
        begun.kept = kept
        if (kept === null) entries.delete(key)
      }
      return { kept: null, end }
    }
    const other = (what: string): StripeRefusal =>
      new StripeRefusal(
        400,
        `Keys for idempotent requests can only be used ${what} they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        { type: 'idempotency_error' },
      )
    if (entry.path !== path) throw other(`for the same endpoint ('${entry.path}')`)
    if (entry.form !== form) throw other('with the same parameters')
    if (!entry.kept) {
      throw new StripeRefusal(
        409,
        'There is currently another in-progress request using this Stripe account and idempotency key. Please try again later.',
        { type: 'idempotency_error', code: 'idempotency_key_in_use' },
      )
    }
    return { kept: entry.kept, end: () => {} }
  }

  return { begin }
}
