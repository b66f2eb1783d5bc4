import { deleteUserCartLines } from '#db/cart/carts.ts'
import type { Db } from '#db/engine/client.ts'
import { updateCheckoutStatus, type CheckoutRow } from '#db/checkout/checkouts.ts'
import { insertOrder, type NewOrder } from '#db/orders/orders.ts'
import { lockPrescription } from '#db/prescriptions/prescriptions.ts'
import { isDeadlock, together } from '#db/engine/sql.ts'
import { takeReserved, takeAvailable } from '#db/inventory/stock.ts'
import { checkoutMessages } from '#domain/checkout/checkout-messages.ts'
import { needsPrescription, type Frozen, type RefundReason, type ShipTo } from '#domain/checkout/checkout.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { estimateDelivery, type Order } from '#domain/orders/orders.ts'
import { saveAddress } from '../accounts/save-address.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { recordOrderStock } from '../inventory/record-order-stock.ts'
import { notifyCustomer } from '../orders/notify-customer.ts'
import { getOrderByPayment, newOrder } from '../orders/new-order.ts'
import { requireUsablePrescription } from './check-prescription.ts'
import { findCheckoutOfPayment } from './find-payment.ts'
import { refundCheckout } from './refund-checkout.ts'
import { openFrozen } from './sealed-checkout.ts'

/** What somebody who finalises says besides the payment; what the checkout froze counts first. */
export type FinalizeInput = {
  /** Who asks: anybody else's payment is as if it were not there. Left out by the shop itself. */
  userId?: string
  totalCents?: number | null
  shipTo?: ShipTo | null
  /** Counts before the frozen one: whoever names one means it. */
  prescriptionId?: string | null
}

export type FinalizedCheckout = { order: Order; isNew: boolean }

/** Of several at once each but the first reads what the first made. */
const maxTries = 5

/**
 * Makes the order of a payment that succeeded, once: the only place where an order is born. The form, `POST /api/orders`,
 * `/order-confirmation`, the webhook and the reconciler all come here, as often as they like and at the same time.
 * Throws NOT_FOUND for a payment that is not ours or another's; PAYMENT_REQUIRED while it is not paid, or was cancelled; CONFLICT when the total
 * is another, the money went back, or goes back because the stock is gone; INVALID (shippingAddress, prescriptionId) when something is
 * missing: then the payment stays usable until the checkout expires.
 */
export async function finalizeCheckout(ctx: Context, paymentId: string, input: FinalizeInput = {}): Promise<FinalizedCheckout> {
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const checkout = await findCheckoutOfPayment(ctx, paymentId)
    if (!checkout || (input.userId !== undefined && input.userId !== checkout.userId)) {
      throw new AppError('NOT_FOUND', 'There is no such payment.')
    }
    if (input.totalCents != null && input.totalCents !== checkout.amountCents) {
      throw new AppError('CONFLICT', 'The total differs from what was paid.')
    }
    if (checkout.status === 'ordered') return { order: await getOrderByPayment(ctx, paymentId), isNew: false }
    if (checkout.status === 'refunded') throw new AppError('CONFLICT', 'This payment was refunded.')
    await requirePaid(ctx, checkout, paymentId)
    const order = await placeOrder(ctx, checkout, paymentId, input)
    if (order) return { order, isNew: true }
  }
  throw new AppError('UNAVAILABLE', undefined, { retryAfter: 1 })
}

/** Asks the provider itself: nobody else is believed. */
async function requirePaid(ctx: Context, checkout: CheckoutRow, paymentId: string): Promise<void> {
  const payment = await ctx.payments.findPayment(paymentId)
  if (!payment) throw new AppError('NOT_FOUND', 'There is no such payment.')
  if (payment.status !== 'succeeded') throw new AppError('PAYMENT_REQUIRED')
  if (payment.refundedCents > 0) throw new AppError('CONFLICT', 'This payment was refunded.')
  if (payment.amountCents !== checkout.amountCents) {
    ctx.log.error({ checkoutId: checkout.id, requestId: ctx.requestId }, 'a payment has another amount')
    throw new AppError('CONFLICT', 'The total differs from what was paid.')
  }
}

/** Thrown when somebody else has moved the checkout meanwhile. */
class StaleCheckoutError extends Error {}

/** Thrown to take a half-made order back: it cannot be made, and the money goes back. */
class UnfulfillableError extends Error {
  constructor(readonly reason: keyof typeof unfulfillableMessages) {
    super(reason)
  }
}

const unfulfillableMessages = {
  'out of stock': 'Something you ordered has just sold out. Your payment is refunded in full.',
  'no order': 'This account is gone. The payment is refunded in full.',
} as const satisfies Partial<Record<RefundReason, string>>

/** The order, or null when it is to be tried again from the start. */
async function placeOrder(
  ctx: Context,
  checkout: CheckoutRow,
  paymentId: string,
  input: FinalizeInput,
): Promise<Order | null> {
  const frozen = openFrozen(ctx.keys, checkout)
  try {
    const shipTo = frozen.shipTo ?? input.shipTo ?? null
    if (!shipTo) {
      throw new AppError('INVALID', undefined, {
        fields: { shippingAddress: checkoutMessages.missingAddress },
      })
    }
    const prescriptionId = input.prescriptionId ?? frozen.prescriptionId
    return await inTransaction(ctx, (ctx) =>
      createOrder(ctx, checkout, paymentId, { ...frozen, shipTo, prescriptionId }),
    )
  } catch (error) {
    if (error instanceof StaleCheckoutError) return null
    // Somebody who edits what is sold had the rows in another order: Postgres took all of this back.
    if (isDeadlock(error)) return null
    if (error instanceof UnfulfillableError) {
      if (!(await refundCheckout(ctx, checkout, error.reason))) return null
      throw new AppError('CONFLICT', unfulfillableMessages[error.reason])
    }
    if (error instanceof AppError && error.code === 'INVALID') await markPaid(ctx, checkout)
    throw error
  }
}

/** It is paid: another checkout of the same customer no longer takes its place. */
async function markPaid(ctx: Context, { id, status }: CheckoutRow): Promise<void> {
  if (status !== 'open') return
  await updateCheckoutStatus(ctx.db, { id, from: 'open', to: 'paid', checkAt: ctx.now, now: ctx.now })
}

async function createOrder(
  ctx: Context,
  checkout: CheckoutRow,
  paymentId: string,
  frozen: Frozen & { shipTo: ShipTo },
): Promise<Order> {
  const { db, now, keys } = ctx
  const { id: checkoutId, userId, status, amountCents } = checkout
  const statusUpdate = markOrdered(ctx, checkout)
  const hasRx = needsPrescription(frozen.lines)
  if (frozen.prescriptionId !== null || hasRx) {
    await statusUpdate
    if (frozen.prescriptionId !== null) await lockPrescription(db, frozen.prescriptionId)
    await requireUsablePrescription(ctx, userId, frozen.prescriptionId)
  }

  const orderId = newId(now.getTime())
  const content = { lines: frozen.lines, shipTo: frozen.shipTo, customer: frozen.customer }
  const { row, order } = newOrder(
    keys,
    {
      id: orderId,
      userId,
      checkoutId,
      paymentId,
      prescriptionId: frozen.prescriptionId,
      status: 'processing',
      totalCents: amountCents,
      hasRx,
      estimatedDelivery: estimateDelivery(now, frozen.shipTo),
      createdAt: now,
      updatedAt: now,
    },
    content,
  )
  await together(
    statusUpdate,
    storeOrder(db, row),
    recordAudit(ctx, { action: 'order.placed', subjectId: userId, objectId: orderId }),
    notifyCustomer(ctx, { orderId, email: frozen.customer.email }, { milestone: 'received' }),
    deleteUserCartLines(
      db,
      userId,
      frozen.lines.map((line) => line.productVariantId),
    ),
    frozen.shipTo.parts && saveAddress(ctx, userId, frozen.shipTo.parts),
    // Last, for others wait for these rows until this is stored.
    takeStock(ctx, frozen, status === 'open' || status === 'paid'),
  )
  return order
}

async function markOrdered({ db, now }: Context, { id, status }: CheckoutRow): Promise<void> {
  if (!(await updateCheckoutStatus(db, { id, from: status, to: 'ordered', checkAt: null, now }))) throw new StaleCheckoutError()
}

/** Whoever was deleted since gets the money back. */
async function storeOrder(db: Db, row: NewOrder): Promise<void> {
  if (!(await insertOrder(db, row))) throw new UnfulfillableError('no order')
}

/** Frozen lines stand in the order of their variants' ids. */
async function takeStock({ db, now }: Context, { lines }: Frozen, isReserved: boolean): Promise<void> {
  const take = isReserved ? takeReserved : takeAvailable
  const tracked = lines.filter((line) => line.isTracked)
  // Sent in the order of their ids, so that no two orders wait for each other.
  const taken = await together(
    ...tracked.map(({ productVariantId: variantId, quantity }) => take(db, { variantId, quantity, now })),
  )
  const changes = taken.filter((change) => change !== null)
  if (changes.length < tracked.length) throw new UnfulfillableError('out of stock')
  await recordOrderStock({ db, now }, { lines, changes, transactionType: 'sale' })
}
