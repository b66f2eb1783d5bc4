import { lockPrescription } from '#db/prescriptions/prescriptions.ts'
import { AppError } from '#domain/errors.ts'
import { needsApproval, orderBadges, statusTransition, type OrderStatus } from '#domain/orders/order-status.ts'
import type { Order } from '#domain/orders/orders.ts'
import { requireAdmin } from '../require-user.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { readPrescription } from '../prescriptions/prescription-reader.ts'
import { applyOrderChange, type ChangeOptions, type Shipment } from './apply-order-change.ts'
import { findOrder, type CustomerOrder } from './find-order.ts'
import { openOrder } from './sealed-order.ts'

/** What an admin sets of an order; what is left out stays. */
export type OrderEdit = {
  status?: OrderStatus | undefined
  /** The status that whoever sets it has seen; left out by those who have seen none. */
  was?: OrderStatus | undefined
} & {
  [Name in keyof Shipment]?: Shipment[Name] | undefined
}

/** Of several at once each but the first decides anew by what the first made. */
const maxAttempts = 5

/**
 * Sets an order's status and where its parcel is, for an admin. Any status may follow any (specification, section 4) but for two guards:
 * what needs a prescription is not shipped or delivered without an approved one, and an order that was cancelled before it was shipped,
 * and so refunded, stays cancelled. What is so already is changed by nothing and told to nobody.
 * Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and CONFLICT with the reason: also when somebody has set another status since.
 * @param restock takes what is called off, where several orders share a transaction
 */
export async function setOrderStatus(
  ctx: Context,
  id: string,
  edit: OrderEdit,
  { restock }: Pick<ChangeOptions, 'restock'> = {},
): Promise<Order> {
  requireAdmin(ctx)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const row = await findOrder(ctx, id)
    const changed = isUnchanged(row, edit) ? row : await applyEdit(ctx, row, edit, restock)
    if (!changed) continue
    if (changed === row) await recordRead(ctx, { action: 'order.read', subjectId: row.userId, objectId: id })
    return openOrder(ctx.keys, changed)
  }
  throw new AppError('UNAVAILABLE', undefined, { retryAfter: 1 })
}

const isUnchanged = (row: CustomerOrder, edit: OrderEdit): boolean =>
  (['status', 'trackingNumber', 'carrier', 'estimatedDelivery'] as const).every(
    (name) => edit[name] === undefined || edit[name] === row[name],
  )

async function applyEdit(
  ctx: Context,
  row: CustomerOrder,
  edit: OrderEdit,
  restock: ChangeOptions['restock'],
): Promise<CustomerOrder | null> {
  const { status = row.status, was = row.status } = edit
  if (was !== row.status) {
    throw new AppError('CONFLICT', `Somebody has set it to ${orderBadges[row.status].label} meanwhile.`, {
      current: row.status,
    })
  }
  const transition = statusTransition({ status: row.status, isCancelledBeforeShipment: row.restockedAt !== null }, status)
  if (transition === 'refused') {
    throw new AppError('CONFLICT', 'This order was cancelled and refunded, and stays cancelled.')
  }
  const change = {
    status,
    callsOff: transition === 'call off',
    trackingNumber: edit.trackingNumber === undefined ? row.trackingNumber : edit.trackingNumber,
    carrier: edit.carrier === undefined ? row.carrier : edit.carrier,
    estimatedDelivery: edit.estimatedDelivery === undefined ? row.estimatedDelivery : edit.estimatedDelivery,
  }
  const check = async (ctx: Context): Promise<void> => {
    if (transition !== 'none' && row.hasRx && needsApproval(status)) await requireApproval(ctx, row, status)
  }
  return applyOrderChange(ctx, row, change, { check, restock })
}

/** Throws CONFLICT unless the order's prescription is approved and good today. */
async function requireApproval(ctx: Context, row: CustomerOrder, to: OrderStatus): Promise<void> {
  const { prescriptionId } = row
  // What is decided about it at this moment waits, or came first.
  if (prescriptionId !== null) await lockPrescription(ctx.db, prescriptionId)
  const prescription = await readPrescription(ctx, prescriptionId)
  const prescriptionStatus = prescription?.status ?? null
  if (prescriptionStatus === 'approved') return
  throw new AppError(
    'CONFLICT',
    `This order holds prescription medicines and cannot be ${orderBadges[to].label.toLowerCase()}: its prescription ${
      approvalProblems[prescriptionStatus ?? 'gone']
    }.`,
  )
}

const approvalProblems = {
  under_review: 'is still under review',
  rejected: 'was rejected',
  expired: 'has expired',
  gone: 'is no longer there',
}
