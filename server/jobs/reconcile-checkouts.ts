import { claimCheckouts } from '#db/checkout/checkouts.ts'
import { settleCheckout } from '../checkout/settle-checkout.ts'
import { toAppError } from '../errors.ts'
import { createJobContext, type JobContext, type UseCaseParts } from '../job-context.ts'

const batchSize = 20
/**
 * The intervals between two checks of an open checkout. The shop finds an unreported payment within
 * two minutes.
 */
const recheckIntervals = 1.5

/**
 * Checks due checkouts at the provider, independent of webhooks and browsers, until none is due or
 * `signal` aborts. Paid checkouts become orders or are refunded; expired ones are canceled at the
 * provider and then released. Several processes share the work.
 */
export async function reconcileCheckouts(
  job: JobContext,
  parts: UseCaseParts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const now = job.now()
    const nextAt = new Date(now.getTime() + parts.shop.reconcileSeconds * 1000 * recheckIntervals)
    const checkouts = await claimCheckouts(job.db, { now, nextAt, limit: batchSize })
    if (checkouts.length === 0) return
    for (const checkout of checkouts) {
      if (signal.aborted) return
      const ctx = createJobContext(job, parts)
      try {
        await settleCheckout(ctx, checkout)
      } catch (error) {
        // A failed checkout must not block the others. It is checked again later.
        const level = toAppError(error).code === 'INTERNAL' ? 'error' : 'warn'
        ctx.log[level]({ err: error, checkoutId: checkout.id }, 'could not settle a checkout')
      }
    }
    if (checkouts.length < batchSize) return
  }
}
