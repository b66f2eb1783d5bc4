import type { Db } from '#db/engine/client.ts'
import { lockUser } from '#db/accounts/users.ts'
import { updateCheckoutStatus, type CheckoutRow } from '#db/checkout/checkouts.ts'
import { insertOrder, type NewOrder } from '#db/orders/orders.ts'
import { findPaymentHold, insertPaymentHold, type NewPaymentHold } from '#db/orders/payment-holds.ts'
import { lockPrescription } from '#db/prescriptions/prescriptions.ts'
import { isDeadlock, pipeline } from '#db/engine/sql.ts'
import { deductReserved, deductAvailable } from '#db/inventory/deduct-stock.ts'
import * as checkoutMessages from '#domain/checkout/checkout-messages.ts'
import {
  needsPrescription,
  type CheckoutContent,
  type RefundReason,
  type ShipTo,
} from '#domain/checkout/checkout.ts'
import { countryOf } from '#domain/dispensing/destination.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { usableUntil } from '#domain/inventory/lots.ts'
import { estimateDelivery, latestShipping, type Order, type OrderContent } from '#domain/orders/orders.ts'
import { newOrderEvents } from '#domain/webhooks/webhook-events.ts'
import { insertLineReviews } from '#db/dispensing/line-reviews.ts'
import { saveAddress } from '../accounts/save-address.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { addToAlertReport } from '../alerts/get-alert-report.ts'
import { deleteLines } from '../cart/cart-lines.ts'
import { inTransaction, type Context } from '../context.ts'
import { prepareLineReviews } from '../dispensing/line-reviews.ts'
import { StaleItemError } from '../dispensing/reserve-fills.ts'
import { recordOrderStock } from '../inventory/record-order-stock.ts'
import { isPaid, type Payment } from '../integrations/payments/payments.ts'
import { countEvent } from '../metrics.ts'
import { noteRefusal } from '../note-refusal.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { notifyCustomer } from '../orders/notify-customer.ts'
import { getOrderByPayment, newOrder, storePickedLots } from '../orders/new-order.ts'
import { isDomesticDelivery } from '../partners/is-domestic-delivery.ts'
import { requireUsablePrescription } from './check-prescription.ts'
import { nextCheckAt } from './decide-before-lapse.ts'
import { findCheckoutOfPayment } from './find-payment.ts'
import { returnPayment } from './return-payment.ts'
import { hashCustomer, openCheckout } from './sealed-checkout.ts'

/** What the caller adds to the payment. The frozen content of the checkout takes precedence. */
export type FinalizeInput = {
  /** The customer. Another customer's payment is not found. Omitted by webhooks and jobs. */
  userId?: string
  totalCents?: number | null
  shipTo?: ShipTo | null
  /** Takes precedence over the frozen one. */
  prescriptionId?: string | null
}

const voidedMessage = 'This payment was voided. Your card was not charged.'

export type FinalizedCheckout = { order: Order; isNew: boolean }

/**
 * Creates the order of a payment that succeeded or is authorized, once: the only place that creates
 * orders. The form, `POST /api/orders`, `/order-confirmation`, the webhook and the reconciler call
 * it, also concurrently. Throws NOT_FOUND for a payment that is not ours or another customer's;
 * PAYMENT_REQUIRED while it is unpaid or when it was canceled; CONFLICT when the total differs or
 * the payment is refunded or voided, also because an item sold out; INVALID (shippingAddress,
 * prescriptionId) when one is missing: the payment stays usable until the checkout expires.
 */
export async function finalizeCheckout(
  ctx: Context,
  paymentId: string,
  input: FinalizeInput = {},
): Promise<FinalizedCheckout> {
  return retryOnConflict(async () => {
    const checkout = await findCheckoutOfPayment(ctx, paymentId)
    if (
      !checkout ||
      (input.userId !== undefined && hashCustomer(ctx.keys, input.userId) !== checkout.userHash)
    ) {
      if (checkout) noteRefusal(ctx, checkout.id)
      throw new AppError('NOT_FOUND', 'Payment not found')
    }
    if (input.totalCents != null && input.totalCents !== checkout.amountCents) {
      throw new AppError('CONFLICT', 'The total doesn’t match the amount paid.')
    }
    if (checkout.status === 'ordered') return { order: await getOrderByPayment(ctx, paymentId), isNew: false }
    if (checkout.status === 'refunded') {
      const isVoided = (await findPaymentHold(ctx.db, paymentId)) !== null
      throw new AppError('CONFLICT', isVoided ? voidedMessage : 'This payment was refunded.')
    }
    const payment = await requirePaid(ctx, checkout, paymentId)
    const order = await placeOrder(ctx, checkout, payment, input)
    return order && { order, isNew: true }
  })
}

/**
 * Queries the provider, because no other source is trusted. Throws NOT_FOUND, PAYMENT_REQUIRED, and
 * CONFLICT when the payment was refunded or its amount differs.
 */
async function requirePaid(ctx: Context, checkout: CheckoutRow, paymentId: string): Promise<Payment> {
  const payment = await ctx.payments.findPayment(paymentId)
  if (!payment) throw new AppError('NOT_FOUND', 'Payment not found')
  if (!isPaid(payment)) throw new AppError('PAYMENT_REQUIRED')
  if (payment.refundedCents > 0) throw new AppError('CONFLICT', 'This payment was refunded.')
  if (payment.amountCents !== checkout.amountCents) {
    ctx.log.error(
      { checkoutId: checkout.id, requestId: ctx.requestId },
      'payment amount differs from its checkout',
    )
    throw new AppError('CONFLICT', 'The total doesn’t match the amount paid.')
  }
  return payment
}

/** Thrown when a concurrent request has changed the checkout's status. */
class StaleCheckoutError extends Error {}

/** Thrown to roll back an order that cannot be fulfilled; its payment is refunded. */
class UnfulfillableError extends Error {
  constructor(readonly reason: keyof typeof unfulfillableMessages) {
    super(reason)
  }
}

const unfulfillableMessages = {
  'out of stock': 'An item in your order just sold out.',
  'not covered': 'Your prescription no longer covers this order.',
  'no order': 'This account no longer exists.',
} as const satisfies Partial<Record<RefundReason, string>>

/** Returns the order, or null when the caller must retry. */
async function placeOrder(
  ctx: Context,
  checkout: CheckoutRow,
  payment: Payment,
  input: FinalizeInput,
): Promise<Order | null> {
  const content = openCheckout(ctx.keys, checkout)
  try {
    const shipTo = content.shipTo ?? input.shipTo ?? null
    if (!shipTo) {
      throw new AppError('INVALID', undefined, {
        fields: { shippingAddress: checkoutMessages.missingAddress },
      })
    }
    const prescriptionId = input.prescriptionId ?? content.prescriptionId
    // Before the transaction, which holds locks that other requests wait for.
    const isDomestic = await isDomesticDelivery(ctx, {
      productIds: content.lines.map(({ product }) => product.id),
      country: countryOf(shipTo),
    })
    return await inTransaction(ctx, (ctx) =>
      createOrder(ctx, checkout, payment, { ...content, shipTo, prescriptionId, isDomestic }),
    )
  } catch (error) {
    if (error instanceof StaleCheckoutError || error instanceof StaleItemError) return null
    // A concurrent catalog edit locked the rows in another order, and Postgres rolled this back.
    if (isDeadlock(error)) return null
    if (error instanceof UnfulfillableError) {
      if (!(await returnPayment(ctx, checkout, payment, error.reason))) return null
      const isCharged = payment.status === 'succeeded'
      const consequence = isCharged ? 'We’ll refund your payment in full.' : 'Your card was not charged.'
      throw new AppError('CONFLICT', `${unfulfillableMessages[error.reason]} ${consequence}`)
    }
    if (error instanceof AppError && error.code === 'INVALID') await markPaid(ctx, checkout)
    throw error
  }
}

/** Marks the checkout as paid, so that another checkout of the customer cannot replace it. */
async function markPaid(ctx: Context, { id, status }: CheckoutRow): Promise<void> {
  if (status !== 'open') return
  await updateCheckoutStatus(ctx.db, { id, from: 'open', to: 'paid', checkAt: ctx.now, now: ctx.now })
}

async function createOrder(
  ctx: Context,
  checkout: CheckoutRow,
  payment: Payment,
  checkoutContent: CheckoutContent & { shipTo: ShipTo; isDomestic: boolean },
): Promise<Order> {
  const { db, now, keys } = ctx
  const { id: checkoutId, status, amountCents } = checkout
  const {
    userId,
    lines,
    shipTo,
    isDomestic,
    customer,
    prescriptionId,
    confirmedAlerts = [],
  } = checkoutContent
  const hasRx = needsPrescription(lines)
  // Lines without a fill lock the customer, which another checkout does before it changes this one.
  if (hasRx && !(await lockUser(db, userId))) throw new UnfulfillableError('no order')
  // It may reject: await it before anything else, or pass it to the pipeline below in this turn.
  const statusUpdate = markOrdered(ctx, checkout)
  if (prescriptionId !== null) {
    await statusUpdate
    await lockPrescription(db, prescriptionId)
    await requireUsablePrescription(ctx, userId, prescriptionId)
  }
  const orderId = newId(now.getTime())
  const estimatedDelivery = estimateDelivery(now, { isDomestic })
  const prescribed = { orderId, checkoutId, userId, prescriptionId, lines }
  if (hasRx) await statusUpdate
  const reviews = hasRx ? await prepareLineReviews(ctx, prescribed).catch(asUnfulfillable) : []

  const content = { lines, refusedLines: [], shipTo, customer }
  const isHeld = payment.status === 'authorized'
  const { row, order } = newOrder(
    keys,
    {
      id: orderId,
      userId,
      checkoutId,
      paymentId: payment.id,
      prescriptionId: reviews[0]?.prescriptionId ?? prescriptionId,
      status: 'processing',
      totalCents: amountCents,
      capturedCents: payment.capturedCents,
      hasRx,
      estimatedDelivery,
      createdAt: now,
      updatedAt: now,
    },
    content,
  )
  await pipeline(
    statusUpdate,
    storeOrder(db, row),
    isHeld && insertPaymentHold(db, toHold(ctx, row, payment)),
    queueWebhooks(ctx, newOrderEvents({ orderId, status: row.status }, { isPaid: !isHeld })),
    recordAudit(ctx, { action: 'order.placed', subjectId: userId, objectId: orderId }),
    notifyCustomer(
      ctx,
      { orderId, email: customer.email },
      { milestone: isHeld ? 'authorized' : 'received' },
    ),
    deleteLines(
      ctx,
      { userId },
      lines.map((line) => line.productVariantId),
    ),
    shipTo.parts && saveAddress(ctx, userId, shipTo.parts),
    // Last, because other transactions wait for the stock rows until this one commits.
    deductStock(ctx, { id: orderId, estimatedDelivery }, content, status === 'open' || status === 'paid'),
  )
  await insertLineReviews(db, reviews)
  await addToAlertReport(ctx, confirmedAlerts)
  countEvent(ctx, 'orders_placed')
  if (!isHeld) countEvent(ctx, 'payments_captured')
  countEvent(ctx, 'fills_recorded', reviews.filter(({ fillId }) => fillId !== null).length)
  return order
}

/** What a prescription refuses for good after the payment ends the checkout. */
function asUnfulfillable(error: unknown): never {
  if (error instanceof AppError && error.code === 'CONFLICT') throw new UnfulfillableError('not covered')
  throw error
}

async function markOrdered({ db, now }: Context, { id, status }: CheckoutRow): Promise<void> {
  if (!(await updateCheckoutStatus(db, { id, from: status, to: 'ordered', checkAt: null, now })))
    throw new StaleCheckoutError()
}

/** The authorization of a new order, which a pharmacist's decisions capture or void. */
const toHold = (ctx: Context, { id, checkoutId }: NewOrder, payment: Payment): NewPaymentHold => ({
  checkoutId,
  orderId: id,
  paymentId: payment.id,
  status: 'authorized',
  authorizedCents: payment.amountCents,
  captureBefore: payment.captureBefore,
  dueAt: nextCheckAt(ctx),
  createdAt: ctx.now,
})

/** Stores the order. Throws UnfulfillableError when the customer was deleted since. */
async function storeOrder(db: Db, row: NewOrder): Promise<void> {
  if (!(await insertOrder(db, row))) throw new UnfulfillableError('no order')
}

/**
 * Frozen lines are sorted by variant id. Lots that they are picked from are added to the order. A
 * paid order is not refunded because they expire before it arrives: staff see that on its lots.
 */
async function deductStock(
  { db, keys, now }: Context,
  { id: orderId, estimatedDelivery }: Pick<NewOrder, 'id' | 'estimatedDelivery'>,
  content: OrderContent,
  isReserved: boolean,
): Promise<void> {
  const { lines } = content
  const deduct = isReserved ? deductReserved : deductAvailable
  const tracked = lines.filter((line) => line.isTracked)
  // Locked in the order of variant ids, so that concurrent orders cannot deadlock.
  const taken = await pipeline(
    ...tracked.map(({ productVariantId: variantId, quantity, daysSupply }) =>
      deduct(db, {
        variantId,
        quantity,
        usableUntil: usableUntil(now, daysSupply),
        lastingUntil: usableUntil(latestShipping(now), daysSupply, estimatedDelivery),
      }),
    ),
  )
  const changes = taken.filter((change) => change !== null)
  if (changes.length < tracked.length) throw new UnfulfillableError('out of stock')
  await recordOrderStock({ db, keys, now }, { orderIds: [orderId], lines, changes, transactionType: 'sale' })
  const picked = new Map(
    changes.flatMap(({ variantId, picked }) => (picked.length > 0 ? [[variantId, picked]] : [])),
  )
  if (picked.size > 0) await storePickedLots({ db, keys }, { orderId, content, picked })
}
