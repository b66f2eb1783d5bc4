import { findOrder, lockOrder } from '#db/orders/orders.ts'
import {
  claimPaymentHolds,
  postponePaymentHold,
  updatePaymentHold,
  type PaymentHoldRow,
} from '#db/orders/payment-holds.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { toAppError } from '../errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { createJobContext, type JobContext, type UseCaseParts } from '../job-context.ts'
import { requestVoid } from '../orders/request-void.ts'
import { decideBeforeLapse, nextCheckAt } from './decide-before-lapse.ts'
import { settleHold } from './settle-hold.ts'

const batchSize = 10
/**
 * Longer than a batch usually takes. A second process that repeats a call uses the same key, so the
 * provider acts once.
 */
const leaseMs = 15_000
const firstPauseMs = 10_000
/** An authorization lapses, so the pauses stay short. */
const longestPauseMs = 600_000
/** Then every further failure is logged as an error. */
const expectedAttempts = 20

/**
 * Captures and voids the payments that are decided, and looks at those that wait, until none is due
 * or `signal` aborts. Each has its own idempotency key at the provider, so it is charged once
 * however often it is tried.
 */
export async function processHolds(job: JobContext, parts: UseCaseParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const now = job.now()
    const leaseEnds = new Date(now.getTime() + leaseMs)
    const holds = await claimPaymentHolds(job.db, { now, leaseEnds, limit: batchSize })
    if (holds.length === 0) return
    for (const hold of holds) {
      if (signal.aborted) return
      await processHold(createJobContext(job, parts), hold)
    }
  }
}

/** Handles a claimed authorization; schedules another attempt when that fails. */
export async function processHold(ctx: Context, hold: PaymentHoldRow): Promise<void> {
  const { checkoutId, status, attempts } = hold
  try {
    if (status === 'capturing') await capture(ctx, hold)
    else if (status === 'voiding') await voidHold(ctx, hold)
    else await checkHold(ctx, hold)
  } catch (error) {
    const isExpected = toAppError(error).code === 'UNAVAILABLE' && attempts < expectedAttempts
    ctx.log[isExpected ? 'warn' : 'error'](
      { err: error, checkoutId, status, attempts },
      'a payment hold failed',
    )
    const pause = Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs)
    await postponePaymentHold(ctx.db, { checkoutId, status, dueAt: new Date(ctx.now.getTime() + pause) })
  }
}

async function capture(ctx: Context, hold: PaymentHoldRow): Promise<void> {
  const { checkoutId, paymentId, orderId, amountCents, version, attempts } = hold
  if (amountCents === null) throw new Error('A capture has no amount.')
  // An earlier attempt may have acted without our learning of it.
  if (attempts > 1 && (await settleHold(ctx, hold, await findPayment(ctx, hold)))) return
  const order = orderId === null ? null : await findOrder(ctx.db, orderId)
  if (order?.status === 'cancelled') {
    const change = { checkoutId, from: ['capturing'], to: 'voiding', dueAt: ctx.now, now: ctx.now } as const
    await updatePaymentHold(ctx.db, change)
    return
  }
  const key = `${checkoutId}:capture:${version}`
  const { status, payment } = await ctx.payments.capturePayment({ paymentId, amountCents, key })
  if (await settleHold(ctx, hold, payment)) return
  if (status !== 'refused') throw new AppError('UNAVAILABLE')
  await returnToStaff(ctx, hold)
}

/** The payment is still authorized: staff try again, unless the order was cancelled since. */
const returnToStaff = (ctx: Context, hold: PaymentHoldRow): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const { checkoutId, orderId } = hold
    // Everything locks the order first, then its payment.
    const order = orderId === null ? null : await lockOrder(ctx.db, orderId)
    const isReturned = await updatePaymentHold(ctx.db, {
      checkoutId,
      from: ['capturing'],
      to: 'authorized',
      refusedAt: ctx.now,
      dueAt: nextCheckAt(ctx),
      now: ctx.now,
    })
    if (!isReturned) return
    // Cancelled during the capture, when nothing could be voided.
    if (order?.status === 'cancelled') {
      await requestVoid(ctx, order.id)
      return
    }
    ctx.log.error({ checkoutId, orderId }, 'capture refused by the provider')
    if (!order || order.userId === null) return
    await recordAudit(ctx, { action: 'payment.capture-refused', subjectId: order.userId, objectId: order.id })
  })

async function voidHold(ctx: Context, hold: PaymentHoldRow): Promise<void> {
  const { checkoutId, paymentId } = hold
  const payment = await ctx.payments.voidPayment({ paymentId, key: `${checkoutId}:void` })
  if (!(await settleHold(ctx, hold, payment))) throw new AppError('UNAVAILABLE')
}

/** Notices what happened to the payment outside the shop, and decides before it lapses. */
async function checkHold(ctx: Context, hold: PaymentHoldRow): Promise<void> {
  const { checkoutId, orderId } = hold
  if (await settleHold(ctx, hold, await findPayment(ctx, hold))) return
  const order = orderId === null ? null : await findOrder(ctx.db, orderId)
  const userId = order?.userId ?? null
  if (!order || userId === null || order.status === 'cancelled') {
    // Cancelled, or the account was deleted: nothing can ship.
    if (orderId !== null) await requestVoid(ctx, orderId)
    return
  }
  const warnedAt = await decideBeforeLapse(ctx, hold, { ...order, userId })
  await postponePaymentHold(ctx.db, {
    checkoutId,
    status: 'authorized',
    dueAt: nextCheckAt(ctx),
    ...(warnedAt && { warnedAt }),
  })
}

async function findPayment(ctx: Context, { paymentId }: PaymentHoldRow) {
  const payment = await ctx.payments.findPayment(paymentId)
  if (!payment) throw new Error('The provider has no record of this payment.')
  return payment
}
