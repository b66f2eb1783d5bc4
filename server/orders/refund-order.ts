import { updateOrder } from '#db/orders/orders.ts'
import {
  findRefundLines,
  insertRefund,
  insertRefundLines,
  listLineRefunds,
  sumRefunds,
  type StoredRefundLine,
  type LineRefunds,
} from '#db/orders/refunds.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { dollars } from '#domain/money.ts'
import type { RefundLineInput, RefundRequest } from '#domain/orders/admin-orders.ts'
import { leftToRefund } from '#domain/orders/cancellation.ts'
import type { OrderLine } from '#domain/orders/orders.ts'
import { requireAdmin } from '../require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { restockLines } from '../inventory/restock-lines.ts'
import { findOrder, type CustomerOrder } from './find-order.ts'
import { openContent } from './sealed-order.ts'

/** Of several at once each but the first decides anew by what the first made. */
const maxAttempts = 5

/**
 * Gives back what lines of an order cost, whatever its status, and puts them into stock again where that is asked for: all or nothing. Never
 * more of a line than was bought, and never more money than is left. The refunds' job gives the money and tells the customer. The same `key` twice is once.
 * Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, INVALID (lines), and CONFLICT when not as much is left or the key stands for another refund.
 */
export async function refundOrder(ctx: Context, { id, key, lines }: RefundRequest): Promise<void> {
  requireAdmin(ctx)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const row = await findOrder(ctx, id)
    const isDone = await inTransaction(ctx, async (ctx) => {
      if (!(await updateOrder(ctx.db, { ...row, updatedAt: ctx.now }))) return false
      await refundLines(ctx, row, { idempotencyKey: `${row.checkoutId}:refund:${key}`, requested: lines })
      return true
    })
    if (isDone) return
  }
  throw new AppError('UNAVAILABLE', undefined, { retryAfter: 1 })
}

/** In the transaction that has the order's row. */
async function refundLines(
  ctx: Context,
  row: CustomerOrder,
  { idempotencyKey, requested }: { idempotencyKey: string; requested: readonly RefundLineInput[] },
): Promise<void> {
  const stored = await findRefundLines(ctx.db, idempotencyKey)
  if (stored.length > 0) {
    if (isSameRefund(stored, requested)) return
    throw new AppError('CONFLICT', 'Another refund was begun by this form. Please look again.')
  }
  const earlier = await listLineRefunds(ctx.db, [row.id])
  const lineRefunds = openContent(ctx.keys, row).lines.flatMap((line) => lineRefundOf(line, earlier.get(line.id), requested))
  // Also when a line is named twice: which of the two is meant?
  if (lineRefunds.length === 0 || lineRefunds.length < requested.length) {
    throw new AppError('INVALID', undefined, { fields: { lines: 'Please say what is refunded.' } })
  }
  const amountCents = lineRefunds.reduce((sum, { line, quantity }) => sum + line.priceCents * quantity, 0)
  const refunded = await sumRefunds(ctx.db, [row.checkoutId])
  const remainingCents = leftToRefund(row.totalCents, refunded.get(row.checkoutId) ?? 0)
  if (amountCents > remainingCents) {
    throw new AppError('CONFLICT', `Only ${dollars(remainingCents)} of this order is left to refund.`)
  }
  const refundId = newId(ctx.now.getTime())
  await insertRefund(ctx.db, {
    id: refundId,
    idempotencyKey,
    checkoutId: row.checkoutId,
    orderId: row.id,
    paymentId: row.paymentId,
    amountCents,
    reason: 'returned',
    createdAt: ctx.now,
  })
  await insertRefundLines(
    ctx.db,
    lineRefunds.map(({ line, quantity, restocked, restock }) => ({
      refundId,
      orderId: row.id,
      lineId: line.id,
      quantity,
      restocked,
      restock,
    })),
  )
  await recordAudit(ctx, { action: 'payment.refund-begun', subjectId: row.userId, objectId: row.id })
  const restockable = lineRefunds.filter(({ restocked }) => restocked > 0)
  await restockLines(
    ctx,
    restockable.map(({ line, restocked }) => ({ ...line, quantity: restocked })),
  )
}

const isSameRefund = (stored: readonly StoredRefundLine[], requested: readonly RefundLineInput[]): boolean =>
  stored.length === requested.length &&
  requested.every(({ lineId, quantity, restock }) =>
    stored.some(
      (line) =>
        line.lineId === lineId &&
        line.quantity === quantity &&
        (line.restock === null || line.restock === restock),
    ),
  )

type LineRefund = { line: OrderLine; quantity: number; restocked: number; restock: boolean }

/** What of a line goes back; nothing of one that is not asked for. */
function lineRefundOf(
  line: OrderLine,
  earlier: LineRefunds = { refunded: 0, requested: 0, restocked: 0 },
  requested: readonly RefundLineInput[],
): LineRefund[] {
  const input = requested.find(({ lineId }) => lineId === line.id)
  if (!input) return []
  const remaining = line.quantity - earlier.refunded
  if (input.quantity > remaining) {
    throw new AppError('CONFLICT', `Of ${line.product.name} only ${remaining} can still be refunded.`)
  }
  // What a refund that failed has put back is there already.
  const notRestocked = line.quantity - earlier.restocked
  const restocked = input.restock && line.isTracked ? Math.min(input.quantity, notRestocked) : 0
  return [{ line, quantity: input.quantity, restocked, restock: input.restock }]
}
