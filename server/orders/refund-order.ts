import { updateOrder } from '#db/orders/orders.ts'
import {
  findRefundLines,
  insertRefund,
  insertRefundLines,
  listReturns,
  sumPromised,
  type BegunReturn,
  type LineReturns,
} from '#db/orders/refunds.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import { dollars } from '#domain/money.ts'
import type { AskedReturn, RefundRequest } from '#domain/orders/admin-orders.ts'
import { leftToRefund } from '#domain/orders/cancellation.ts'
import type { OrderLine } from '#domain/orders/orders.ts'
import { requireAdmin } from '../require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { restockLines } from '../inventory/restock-lines.ts'
import { findOrder, type OwnedOrder } from './find-order.ts'
import { openContent } from './sealed-order.ts'

/** Of several at once each but the first decides anew by what the first made. */
const maxTries = 5

/**
 * Gives back what lines of an order cost, whatever its status, and puts them into stock again where that is asked for: all or nothing. Never
 * more of a line than was bought, and never more money than is left. The refunds' job gives the money and tells the customer. The same `key` twice is once.
 * Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, INVALID (lines), and CONFLICT when not as much is left or the key stands for another refund.
 */
export async function refundOrder(ctx: Context, { id, key, lines }: RefundRequest): Promise<void> {
  requireAdmin(ctx)
  for (let tries = 0; tries < maxTries; tries++) {
    const row = await findOrder(ctx, id)
    const isDone = await inTransaction(ctx, async (ctx) => {
      if (!(await updateOrder(ctx.db, { ...row, updatedAt: ctx.now }))) return false
      await giveBack(ctx, row, { idempotencyKey: `${row.checkoutId}:refund:${key}`, asked: lines })
      return true
    })
    if (isDone) return
  }
  throw new AppError('UNAVAILABLE', undefined, { retryAfter: 1 })
}

/** In the transaction that has the order's row. */
async function giveBack(
  ctx: Context,
  row: OwnedOrder,
  { idempotencyKey, asked }: { idempotencyKey: string; asked: readonly AskedReturn[] },
): Promise<void> {
  const begun = await findRefundLines(ctx.db, idempotencyKey)
  if (begun.length > 0) {
    if (isSame(begun, asked)) return
    throw new AppError('CONFLICT', 'Another refund was begun by this form. Please look again.')
  }
  const returns = await listReturns(ctx.db, [row.id])
  const back = openContent(ctx.keys, row).lines.flatMap((line) => returnOf(line, returns.get(line.id), asked))
  // Also when a line is named twice: which of the two is meant?
  if (back.length === 0 || back.length < asked.length) {
    throw new AppError('INVALID', undefined, { fields: { lines: 'Please say what is refunded.' } })
  }
  const amountCents = back.reduce((sum, { line, quantity }) => sum + line.priceCents * quantity, 0)
  const promised = await sumPromised(ctx.db, [row.checkoutId])
  const leftCents = leftToRefund(row.totalCents, promised.get(row.checkoutId) ?? 0)
  if (amountCents > leftCents) {
    throw new AppError('CONFLICT', `Only ${dollars(leftCents)} of this order is left to refund.`)
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
    back.map(({ line, quantity, restocked, restock }) => ({
      refundId,
      orderId: row.id,
      lineId: line.id,
      quantity,
      restocked,
      restock,
    })),
  )
  await recordAudit(ctx, { action: 'payment.refund-begun', subjectId: row.userId, objectId: row.id })
  const toStock = back.filter(({ restocked }) => restocked > 0)
  await restockLines(
    ctx,
    toStock.map(({ line, restocked }) => ({ ...line, quantity: restocked })),
  )
}

const isSame = (begun: readonly BegunReturn[], asked: readonly AskedReturn[]): boolean =>
  begun.length === asked.length &&
  asked.every(({ lineId, quantity, restock }) =>
    begun.some(
      (line) =>
        line.lineId === lineId &&
        line.quantity === quantity &&
        (line.restock === null || line.restock === restock),
    ),
  )

type Back = { line: OrderLine; quantity: number; restocked: number; restock: boolean }

/** What of a line goes back; nothing of one that is not asked for. */
function returnOf(
  line: OrderLine,
  before: LineReturns = { refunded: 0, named: 0, restocked: 0 },
  asked: readonly AskedReturn[],
): Back[] {
  const one = asked.find(({ lineId }) => lineId === line.id)
  if (!one) return []
  const left = line.quantity - before.refunded
  if (one.quantity > left) {
    throw new AppError('CONFLICT', `Of ${line.product.name} only ${left} can still be refunded.`)
  }
  // What a refund that failed has put back is there already.
  const away = line.quantity - before.restocked
  const restocked = one.restock && line.isTracked ? Math.min(one.quantity, away) : 0
  return [{ line, quantity: one.quantity, restocked, restock: one.restock }]
}
