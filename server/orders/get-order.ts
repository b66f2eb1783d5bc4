import { listOffers } from '#db/checkout/checkouts.ts'
import { listOrderEvents } from '#db/orders/order-events.ts'
import { findOrderHold } from '#db/orders/payment-holds.ts'
import { listOrderRefunds } from '#db/orders/refunds.ts'
import { can } from '#domain/accounts/permissions.ts'
import type { OrderLineState } from '#domain/dispensing/order-line-state.ts'
import { AppError } from '#domain/errors.ts'
import { computeCancellation, type Cancellation } from '#domain/orders/cancellation.ts'
import { canCancel, type OrderStatus } from '#domain/orders/order-status.ts'
import type { Order } from '#domain/orders/orders.ts'
import {
  computeLapse,
  getCardEffect,
  getOrderPayment,
  type CardEffect,
  type OrderPayment,
} from '#domain/orders/payment-hold.ts'
import type { Prescription } from '#domain/prescriptions/prescriptions.ts'
import { requireRecordAccess } from '../accounts/record-access.ts'
import { requireUser } from '../require-user.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { listLineStates } from '../dispensing/list-line-states.ts'
import { readPrescription } from '../prescriptions/prescription-reader.ts'
import { getSettings } from '../settings/get-settings.ts'
import { getEarlierRefunds } from './earlier-refunds.ts'
import { countRefundedUnits, type RefundedUnits } from './count-refunded-units.ts'
import { listLinePeople } from './list-line-people.ts'
import { readPatientNames } from '../patients/read-patients.ts'
import { findOrder, orderNotFound } from './find-order.ts'
import { openOrder } from './sealed-order.ts'

/** A refund: pending, done, or failed for good. */
export type OrderRefund = { amountCents: number; createdAt: Date; doneAt: Date | null; failedAt: Date | null }

/** An order with everything its own page shows. */
export type OrderDetails = {
  order: Order
  /** Status changes since the order was placed, oldest first. */
  events: { status: OrderStatus; at: Date }[]
  refunds: OrderRefund[]
  payment: OrderPayment
  /** What cancelling the order now would do; null when it can no longer be cancelled. */
  cancellation: (Cancellation & { card: CardEffect }) | null
  prescription: Prescription | null
  /** Who the lines and the prescription are for. Absent means the customer. */
  people: ReadonlyMap<string, string>
  prescriptionFor: string | null
  /** The ids of its variants that are still on sale, in stock or not. */
  offered: ReadonlySet<string>
  /** The state of its prescription lines, by line. */
  lineStates: ReadonlyMap<string, OrderLineState>
  refundedUnits: RefundedUnits
}

/** An order, for its customer and for admins. Throws like `findOrder`. */
export async function getOrder(ctx: Context, id: string): Promise<Order> {
  const row = await findOrder(ctx, id)
  await recordRead(ctx, { action: 'order.read', subjectId: row.userId, objectId: id })
  return openOrder(ctx, row)
}

/**
 * An order with its details, for its customer only. Throws UNAUTHENTICATED, and NOT_FOUND when the
 * order is missing or another user's, for an admin too.
 */
export async function getOrderDetails(ctx: Context, id: string): Promise<OrderDetails> {
  const row = await findOrder(ctx, id)
  if (row.userId !== requireUser(ctx).id) throw new AppError('NOT_FOUND', orderNotFound)
  await recordRead(ctx, { action: 'order.read', subjectId: row.userId, objectId: id })
  const order = openOrder(ctx, row)
  const variantIds = [...order.items, ...order.refusedItems].map((item) => item.productVariantId)
  const [events, refunds, earlier, prescription, offers, hold, refundedUnits, names] = await Promise.all([
    listOrderEvents(ctx.db, id),
    listOrderRefunds(ctx.db, row.checkoutId),
    getEarlierRefunds(ctx.db, [row]),
    readPrescription(ctx, row.prescriptionId),
    listOffers(ctx.db, variantIds),
    findOrderHold(ctx.db, id),
    countRefundedUnits(ctx, [row]),
    readPatientNames(ctx, row.userId),
  ])
  const payment = getOrderPayment(row, hold)
  const { captureMarginHours } = await getSettings(ctx)
  const lineStates = await listLineStates(ctx, {
    ...order,
    decideBy: hold?.status === 'authorized' ? computeLapse(hold, captureMarginHours).decideBy : null,
    isCharged: payment.state === 'charged',
    isClosed: !canCancel(row.status),
  })
  const cancellation = canCancel(row.status)
    ? computeCancellation({ capturedCents: row.capturedCents, lines: order.items }, earlier(row))
    : null
  return {
    order,
    events: events.map(({ status, at }) => ({ status, at })),
    refunds: refunds.map(({ id: _id, ...refund }) => refund),
    payment,
    lineStates,
    refundedUnits,
    cancellation: cancellation && {
      ...cancellation,
      card: getCardEffect({ ...row, ...cancellation, holdStatus: hold?.status ?? null }),
    },
    prescription,
    people: await listLinePeople(ctx, [order], names),
    prescriptionFor: names.get(prescription?.patientId ?? '') ?? null,
    offered: new Set(offers.map((offer) => offer.id)),
  }
}

/**
 * The prescription of an order, one or none, for its customer and for admins. Throws like
 * `findOrder`.
 */
export async function listOrderPrescriptions(ctx: Context, orderId: string): Promise<Prescription[]> {
  const row = await findOrder(ctx, orderId)
  if (row.userId !== requireUser(ctx).id && !can(ctx.user, 'health.read')) {
    throw new AppError('NOT_FOUND', orderNotFound)
  }
  await requireRecordAccess(ctx, row.userId)
  const prescription = await readPrescription(ctx, row.prescriptionId)
  if (!prescription) return []
  await recordRead(ctx, {
    action: 'prescription.read',
    subjectId: row.userId,
    objectId: prescription.id,
  })
  return [prescription]
}
