import { findCheckout } from '#db/checkout/checkouts.ts'
import { addRefundedCents } from '#db/orders/orders.ts'
import { claimRefunds, markRefunded, postponeRefund, type RefundRow } from '#db/orders/refunds.ts'
import { dollars } from '#domain/money.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { removeCheckoutCustomer } from './remove-customer.ts'
import { openCheckout } from './sealed-checkout.ts'
import { inTransaction, type Context } from '../context.ts'
import { findEmail } from '../accounts/person-reader.ts'
import { countEvent } from '../metrics.ts'
import { notifyCustomer } from '../orders/notify-customer.ts'
import { createJobContext, type JobContext, type UseCaseParts } from '../job-context.ts'

const batchSize = 10
/**
 * Longer than a batch usually takes. A second process that retries a refund uses the same key, so
 * it is made once.
 */
const leaseMs = 15_000
const firstPauseMs = 10_000
const longestPauseMs = 3_600_000
/** About a week with the pauses; then an admin must handle it. */
const maxAttempts = 180

/**
 * Makes the due refunds until none is due or `signal` aborts. Each refund has its own idempotency
 * key at the provider, so it is made once however often it is retried.
 */
export async function processRefunds(
  job: JobContext,
  parts: UseCaseParts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const now = job.now()
    const leaseEnds = new Date(now.getTime() + leaseMs)
    const refunds = await claimRefunds(job.db, { now, leaseEnds, limit: batchSize })
    if (refunds.length === 0) return
    for (const refund of refunds) {
      if (signal.aborted) return
      await processRefund(createJobContext(job, parts), refund, job.now)
    }
  }
}

/**
 * Makes a claimed refund; schedules a retry when it fails.
 * @param clock says when it failed: after the call, during which staff may have refunded more units
 */
export async function processRefund(
  ctx: Context,
  refund: RefundRow,
  clock: () => Date = () => ctx.now,
): Promise<void> {
  const { id, paymentId, amountCents, idempotencyKey: key, attempts } = refund
  try {
    const result = await ctx.payments.refund({ paymentId, amountCents, key, isRetry: attempts > 1 })
    if (result.status !== 'failed' && result.id !== null) return await recordRefund(ctx, refund, result.id)
    ctx.log.error({ refundId: id }, 'refund rejected by the provider')
    await postponeRefund(ctx.db, { id, dueAt: null, failedAt: clock() })
  } catch (error) {
    const isLast = attempts >= maxAttempts
    ctx.log[isLast ? 'error' : 'warn']({ err: error, refundId: id, attempts }, 'a refund failed')
    const pause = Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs)
    await postponeRefund(ctx.db, {
      id,
      dueAt: isLast ? null : new Date(ctx.now.getTime() + pause),
      failedAt: isLast ? clock() : null,
    })
  }
}

async function recordRefund(ctx: Context, refund: RefundRow, providerRefundId: string): Promise<void> {
  const { id, orderId, checkoutId, amountCents } = refund
  await inTransaction(ctx, async (ctx) => {
    if (!(await markRefunded(ctx.db, { id, providerRefundId, now: ctx.now }))) return
    countEvent(ctx, 'refunds_made')
    if (orderId !== null) await addRefundedCents(ctx.db, { id: orderId, amountCents, now: ctx.now })
    const checkout = await findCheckout(ctx.db, checkoutId)
    if (!checkout) return
    const { userId, customer } = openCheckout(ctx.keys, checkout)
    await recordAudit(ctx, {
      action: 'payment.refunded',
      subjectId: userId,
      objectId: orderId ?? checkoutId,
    })
    const email = (await findEmail(ctx, userId)) ?? customer.email
    // Empty once the customer has deleted the account.
    if (email !== '') {
      await notifyCustomer(ctx, { orderId, email }, { milestone: 'refunded', amount: dollars(amountCents) })
    }
    if (orderId === null) await removeCheckoutCustomer(ctx, checkoutId)
  })
}
