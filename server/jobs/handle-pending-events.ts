import { listPendingEvents } from '#db/checkout/payment-events.ts'
import { eventLeaseMs, handlePaymentEvent, claimEvent } from '../checkout/handle-payment-event.ts'
import { toAppError } from '../errors.ts'
import { contextOfJob, type JobContext, type UseCaseParts } from '../job-context.ts'

const batchSize = 50

/**
 * Handles events that were stored and not handled: whoever received them died or failed. Ends when none waits or `signal` says stop. Several
 * processes share the work.
 */
export async function handlePendingEvents(
  job: JobContext,
  parts: UseCaseParts,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(job.now().getTime() - eventLeaseMs)
  for (const event of await listPendingEvents(job.db, { before, limit: batchSize })) {
    if (signal.aborted) return
    const ctx = contextOfJob(job, parts)
    if (!(await claimEvent(ctx, event.id))) continue
    try {
      await handlePaymentEvent(ctx, event)
    } catch (error) {
      // One that fails must not hold up the others; it is taken again.
      const level = toAppError(error).code === 'INTERNAL' ? 'error' : 'warn'
      ctx.log[level]({ err: error, eventId: event.id }, 'an event could not be handled')
    }
  }
}
