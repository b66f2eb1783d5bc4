import { claimCheckouts } from '#db/checkout/checkouts.ts'
import { settleCheckout } from '../checkout/settle-checkout.ts'
import { toAppError } from '../errors.ts'
import { contextOfJob, type JobContext, type UseCaseParts } from '../job-context.ts'

const batchSize = 20
/** After how many of the job's own pauses an open checkout is looked at again: what is paid unheard is found within two minutes. */
const recheckIntervals = 1.5

/**
 * Looks at checkouts whose time has come, whatever webhooks and browsers told, until none is due or `signal` says stop: what was paid is
 * ordered or refunded, what has lapsed is cancelled at the provider and then released. Several processes share the work.
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
      const ctx = contextOfJob(job, parts)
      try {
        await settleCheckout(ctx, checkout)
      } catch (error) {
        // One that fails must not hold up the others; it is looked at again.
        const level = toAppError(error).code === 'INTERNAL' ? 'error' : 'warn'
        ctx.log[level]({ err: error, checkoutId: checkout.id }, 'a checkout could not be settled')
      }
    }
    if (checkouts.length < batchSize) return
  }
}
