import { listPendingEvents } from '#db/checkout/payment-events.ts'
import { eventLeaseMs, handlePaymentEvent, claimEvent } from '../checkout/handle-payment-event.ts'
import { toAppError } from '../errors.ts'
import { createJobContext, type JobContext, type UseCaseParts } from '../job-context.ts'

const batchSize = 50

/**
 * Handles payment events that were stored but not handled, because the receiving process died or
 * failed. Ends when none is left or `signal` aborts. Several processes share the work.
 */
export async function handlePendingEvents(
  job: JobContext,
  parts: UseCaseParts,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(job.now().getTime() - eventLeaseMs)
  for (const event of await listPendingEvents(job.db, { before, limit: batchSize })) {
    if (signal.aborted) return
    const ctx = createJobContext(job, parts)
    if (!(await claimEvent(ctx, event.id))) continue
    try {
      await handlePaymentEvent(ctx, event)
    } catch (error) {
      // A failed event must not block the others. It is claimed again later.
      const level = toAppError(error).code === 'INTERNAL' ? 'error' : 'warn'
      ctx.log[level]({ err: error, eventId: event.id }, 'could not handle a payment event')
    }
  }
}
