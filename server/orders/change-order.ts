import { insertOrderEvent, updateOrder } from '#db/orders.ts'
import { insertRefund, insertRefundLines, listReturns, sumPromised } from '#db/refunds.ts'
import { together } from '#db/sql.ts'
import { newId } from '#domain/ids.ts'
import { dollars } from '#domain/money.ts'
import type { OrderStatus } from '#domain/order-status.ts'
import type { OrderContent } from '#domain/orders.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { restockLines, type ReturnedLine } from '../inventory/restock-lines.ts'
import type { OwnedOrder } from './find-order.ts'
import { openContent } from './sealed-order.ts'
import { emailNow, tellCustomer } from './tell-customer.ts'

/** What is known of where a parcel is; `estimatedDelivery` is `YYYY-MM-DD`. */
export type Shipment = Pick<OwnedOrder, 'trackingNumber' | 'carrier' | 'estimatedDelivery'>

type Change = Shipment & {
  status: OrderStatus
  /** Gives the money and the stock back. */
  callsOff: boolean
}

/** What a change of an order leaves to its caller. */
export type ChangeParts = {
  /** Throws to take the change back; it runs before the order's row is taken. */
  check?: (ctx: Context) => Promise<void>
  /** Puts what is called off back into stock, at once unless told otherwise: whoever calls off several orders does it once, and last. */
  restock?: (ctx: Context, lines: readonly ReturnedLine[]) => Promise<void> | void
}

/**
 * Writes a change of an order with all that follows from it, all or nothing: the status, and then the refund, the stock, what the
 * customer is told and what the log says. Null, and nothing is done, when the order has changed since it was read.
 */
export async function changeOrder(
  ctx: Context,
  row: OwnedOrder,
  { callsOff, ...change }: Change,
  { check, restock = restockLines }: ChangeParts = {},
): Promise<OwnedOrder | null> {
  const changed = {
    ...row,
    ...change,
    restockedAt: callsOff ? ctx.now : row.restockedAt,
    updatedAt: ctx.now,
  }
  return inTransaction(ctx, async (ctx) => {
    await check?.(ctx)
    if (!(await updateOrder(ctx.db, changed))) return null
    const isMoved = row.status !== changed.status
    const isCancelled = isMoved && changed.status === 'cancelled'
    const content = openContent(ctx.keys, row)
    const refundId = newId(ctx.now.getTime())
    const [refundCents, back] = callsOff
      ? await together(beginRefund(ctx, row, refundId), noteReturns(ctx, { row, content, refundId }))
      : [0, []]
    await together(
      isMoved && noteStatus(ctx, changed),
      recordAudit(ctx, {
        action: isCancelled ? 'order.cancelled' : 'order.changed',
        subjectId: row.userId,
        objectId: row.id,
      }),
      tell(ctx, { row, changed, content, refundCents }),
    )
    // Last, for others wait for these rows until this is stored.
    if (callsOff) await restock(ctx, back)
    return { ...changed, version: row.version + 1 }
  })
}

async function noteStatus(ctx: Context, { id, status }: OwnedOrder): Promise<void> {
  await insertOrderEvent(ctx.db, {
    id: newId(ctx.now.getTime()),
    orderId: id,
    status,
    actorId: ctx.user?.id ?? null,
    at: ctx.now,
  })
}

/** Decides that what is left of the payment goes back; the refunds' job gives it. Returns how much. */
async function beginRefund(ctx: Context, row: OwnedOrder, id: string): Promise<number> {
  const promised = await sumPromised(ctx.db, [row.checkoutId])
  const amountCents = row.totalCents - (promised.get(row.checkoutId) ?? 0)
  if (amountCents <= 0) return 0
  await insertRefund(ctx.db, {
    id,
    idempotencyKey: `${row.checkoutId}:refund`,
    checkoutId: row.checkoutId,
    orderId: row.id,
    paymentId: row.paymentId,
    amountCents,
    reason: 'cancelled',
    createdAt: ctx.now,
  })
  await recordAudit(ctx, { action: 'payment.refund-begun', subjectId: row.userId, objectId: row.id })
  return amountCents
}

/** Notes what goes back into stock, and returns it. What was refunded by line before is back already, or gone for good. */
async function noteReturns(
  { db }: Context,
  {
    row: { id: orderId },
    content: { lines },
    refundId,
  }: { row: OwnedOrder; content: OrderContent; refundId: string },
): Promise<ReturnedLine[]> {
  const returns = await listReturns(db, [orderId])
  const left = lines
    .map((line) => ({ ...line, quantity: line.quantity - (returns.get(line.id)?.named ?? 0) }))
    .filter(({ quantity }) => quantity > 0)
  await insertRefundLines(
    db,
    left.map(({ id: lineId, quantity, isTracked }) => ({
      refundId,
      orderId,
      lineId,
      quantity,
      restocked: isTracked ? quantity : 0,
      restock: null,
    })),
  )
  return left
}

type Told = { row: OwnedOrder; changed: OwnedOrder; content: OrderContent; refundCents: number }

/** Each milestone is a mail, and so is a tracking number that comes after its parcel has left; nothing else is. */
async function tell(ctx: Context, { row, changed, content, refundCents }: Told): Promise<void> {
  const { id, userId, status, trackingNumber, carrier, estimatedDelivery } = changed
  const isTracked = trackingNumber !== null && trackingNumber !== row.trackingNumber
  const isNews = row.status !== status || (status === 'shipped' && isTracked)
  if (!isNews || status === 'pending') return
  await tellCustomer(
    ctx,
    { orderId: id, email: (await emailNow(ctx, userId)) ?? content.customer.email },
    {
      milestone: status,
      trackingNumber,
      carrier,
      estimatedDelivery,
      amount: refundCents > 0 ? dollars(refundCents) : null,
    },
  )
}
