import { AppError } from '#domain/errors.ts'
import { StaleEditError } from '#domain/stale-edit.ts'
import { needsClearance, orderBadges, type OrderStatus } from '#domain/orders/order-status.ts'
import { computeStatusChange, statusPermission, undoWindowMs } from '#domain/orders/status-change.ts'
import type { Order } from '#domain/orders/orders.ts'
import { requirePermission } from '../require-user.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { applyOrderChange, type ChangeOptions, type Shipment } from './apply-order-change.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { checkStatusChange, lockClearance } from './check-status-change.ts'
import { findOrder, refuseOwnOrder, type CustomerOrder } from './find-order.ts'
import { returningAlertedLines } from './return-alerted-lines.ts'
import { openOrder } from './sealed-order.ts'
import { refuseStaleShipment } from './stale-shipment.ts'

type StatusOptions = Pick<ChangeOptions, 'restock' | 'undo'>

/** For callers that offer no undo: the order's page does. */
const ownUndo = { windowMs: undoWindowMs(1), collect: () => {} }

/** An admin's changes to an order. Omitted fields stay unchanged. */
export type OrderEdit = {
  status?: OrderStatus | undefined
  /** The status that the admin saw. Omitted when there was none to see. */
  expectedStatus?: OrderStatus | undefined
  /** The shipment that the admin saw. Omitted when there was none to see. */
  expectedShipment?: Shipment | undefined
} & {
  [Name in keyof Shipment]?: Shipment[Name] | undefined
}

/**
 * Sets an order's status and shipment, for staff who may ship; those who may refund cancel it. Any
 * status may follow any other (specification, section 4), with two exceptions: an order ships only
 * when `checkStatusChange` allows it, and an order that was cancelled before shipment stays
 * cancelled. A line whose new alert refuses the shipping returns to the queue. An unchanged order
 * triggers no email. Throws UNAUTHENTICATED, FORBIDDEN, CODE_REQUIRED, NOT_FOUND, and CONFLICT with
 * the reason, including when the status or the shipment is no longer the one that the user saw.
 * @param options.restock collects the cancelled lines when several orders share a transaction
 * @param options.undo how long the change can be undone; the email waits as long
 */
export async function setOrderStatus(
  ctx: Context,
  id: string,
  edit: OrderEdit,
  options: StatusOptions = {},
): Promise<Order> {
  const { row } = await changeOrder(ctx, id, edit, options)
  return openOrder(ctx, row)
}

/** The same, for callers that don't show the order. It is not changed if it was as requested. */
export async function changeOrder(
  ctx: Context,
  id: string,
  edit: OrderEdit,
  options: StatusOptions = {},
): Promise<{ row: CustomerOrder; isChanged: boolean }> {
  requirePermission(ctx, edit.status ? statusPermission(edit.status) : 'orders.ship')
  const change = async (): Promise<{ row: CustomerOrder; isChanged: boolean } | null> => {
    const row = await findOrder(ctx, id)
    if (!isUnchanged(row, edit)) {
      refuseOwnOrder(ctx, row)
      const changed = await applyEdit(ctx, row, edit, options)
      return changed && { row: changed, isChanged: true }
    }
    await recordRead(ctx, { action: 'order.read', subjectId: row.userId, objectId: id })
    return { row, isChanged: false }
  }
  return returningAlertedLines(ctx, id, () => retryOnConflict(change))
}

const shipmentFields = ['trackingNumber', 'carrier', 'estimatedDelivery'] as const

const isUnchanged = (row: CustomerOrder, edit: OrderEdit): boolean =>
  (['status', ...shipmentFields] as const).every(
    (name) => edit[name] === undefined || edit[name] === row[name],
  )

async function applyEdit(
  ctx: Context,
  row: CustomerOrder,
  edit: OrderEdit,
  { restock, undo = ownUndo }: StatusOptions,
): Promise<CustomerOrder | null> {
  const { status = row.status, expectedStatus = row.status } = edit
  if (expectedStatus !== row.status) {
    throw new StaleEditError(`Someone else set the status to ${orderBadges[row.status].label}.`, row.status)
  }
  const { transition } = computeStatusChange(
    { status: row.status, isCancelledBeforeShipment: row.restockedAt !== null },
    status,
  )
  if (transition === 'rejected') {
    throw new AppError('CONFLICT', 'This order was cancelled and refunded. It can’t be reopened.')
  }
  const change = {
    status,
    cancels: transition === 'cancel',
    trackingNumber: edit.trackingNumber === undefined ? row.trackingNumber : edit.trackingNumber,
    carrier: edit.carrier === undefined ? row.carrier : edit.carrier,
    estimatedDelivery: edit.estimatedDelivery === undefined ? row.estimatedDelivery : edit.estimatedDelivery,
  }
  const { expectedShipment } = edit
  if (expectedShipment) refuseStaleShipment(row, { expected: expectedShipment, saved: change })
  // Staff who may only cancel orders can't set a tracking number.
  if (shipmentFields.some((name) => change[name] !== row[name])) requirePermission(ctx, 'orders.ship')
  const check = async (ctx: Context): Promise<void> => {
    if (transition !== 'none' && row.hasRx && needsClearance(status)) await lockClearance(ctx, row)
    await checkStatusChange(ctx, row, status)
  }
  return applyOrderChange(ctx, row, change, { check, restock, undo })
}
