import { updateOrder } from '#db/orders/orders.ts'
import {
  findRefundLines,
  insertRefund,
  insertRefundLines,
  listLineRefunds,
  sumRefunds,
  type StoredRefundLine,
} from '#db/orders/refunds.ts'
import { AppError } from '#domain/errors.ts'
import { lotsOfUnits, type LotUnits } from '#domain/inventory/lots.ts'
import { newId } from '#domain/ids.ts'
import { dollars } from '#domain/money.ts'
import type { RefundLineInput, RefundRequest } from '#domain/orders/admin-orders.ts'
import { leftToRefund } from '#domain/orders/cancellation.ts'
import { nextUnits, noLineRefunds, unitsLeftToShip, type LineRefunds } from '#domain/orders/line-refunds.ts'
import { canCancel } from '#domain/orders/order-status.ts'
import { remainingLines, type OrderLine } from '#domain/orders/orders.ts'
import { requirePermission } from '../require-user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { releaseOrderFills } from '../dispensing/ship-lines.ts'
import { restockLines } from '../inventory/restock-lines.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { findOrder, refuseOwnOrder, type CustomerOrder } from './find-order.ts'
import { checkRefundAmount } from './check-refund-amount.ts'
import { openContent } from './sealed-order.ts'
import { visibleLines } from './visible-lines.ts'

/**
 * Refunds lines of an order in any status and restocks them where requested, all or nothing. Never
 * refunds more units than were bought, or more than is left of what was captured. The refund job
 * makes the refund and emails the customer. Calls with the same `key` refund once. Throws
 * UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, INVALID (lines), and CONFLICT when too little is left or
 * the key belongs to another refund.
 */
export async function refundOrder(ctx: Context, { id, key, lines }: RefundRequest): Promise<void> {
  requirePermission(ctx, 'refunds.create')
  await retryOnConflict(async () => {
    const row = await findOrder(ctx, id)
    refuseOwnOrder(ctx, row)
    return inTransaction(ctx, async (ctx) => {
      if (!(await updateOrder(ctx.db, { ...row, updatedAt: ctx.now }))) return null
      await refundLines(ctx, row, { idempotencyKey: `${row.checkoutId}:refund:${key}`, requested: lines })
      return true
    })
  })
}

/** Runs in the transaction that has locked the order's row. */
async function refundLines(
  ctx: Context,
  row: CustomerOrder,
  { idempotencyKey, requested }: { idempotencyKey: string; requested: readonly RefundLineInput[] },
): Promise<void> {
  if (row.capturedCents === 0) {
    throw new AppError('CONFLICT', 'The card was not charged for this order yet. Cancel the order instead.')
  }
  const stored = await findRefundLines(ctx.db, idempotencyKey)
  if (stored.length > 0) {
    if (isSameRefund(stored, requested)) return
    throw new AppError('CONFLICT', 'This form has already started another refund. Reload the page to see it.')
  }
  const earlier = await listLineRefunds(ctx.db, [row.id])
  const lines = remainingLines(openContent(ctx.keys, row))
  // Hidden lines have neither a variant nor lots, so only their names are for messages.
  const shown = new Map(visibleLines(ctx, row, lines).map(({ id, product }) => [id, product.name]))
  const lineRefunds = lines.flatMap((line) =>
    toLineRefund(line, {
      earlier: earlier.get(line.id),
      requested,
      name: shown.get(line.id) ?? 'this item',
    }),
  )
  // Also rejects a line that is requested twice: the quantities would be ambiguous.
  if (lineRefunds.length === 0 || lineRefunds.length < requested.length) {
    throw new AppError('INVALID', undefined, { fields: { lines: 'Choose the items to refund.' } })
  }
  const amountCents = lineRefunds.reduce(
    (sum, { line, positions }) => sum + line.priceCents * positions.length,
    0,
  )
  const refundedCents = (await sumRefunds(ctx.db, [row.checkoutId])).get(row.checkoutId) ?? 0
  const remainingCents = leftToRefund(row.capturedCents, refundedCents)
  if (amountCents > remainingCents) {
    throw new AppError('CONFLICT', `Only ${dollars(remainingCents)} of this order is left to refund.`)
  }
  await checkRefundAmount(ctx, refundedCents + amountCents)
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
    { refundId, orderId: row.id },
    lineRefunds.map(({ line, positions, restocked, restock }) => ({
      lineId: line.id,
      positions,
      restocked,
      restock,
    })),
  )
  await recordAudit(ctx, { action: 'payment.refund-begun', subjectId: row.userId, objectId: row.id })
  // A line with nothing left to ship does not use its prescription.
  const ended = lineRefunds.filter(({ hasNothingLeft }) => hasNothingLeft).map(({ line }) => line.id)
  if (row.hasRx && canCancel(row.status)) await releaseOrderFills(ctx, row.id, ended)
  const restockable = lineRefunds.filter(({ restocked }) => restocked > 0)
  await restockLines(
    ctx,
    restockable.map(({ line, restocked, lots }) => ({ ...line, quantity: restocked, lots, orderId: row.id })),
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

type LineRefund = {
  line: OrderLine
  /** Of the units in the line. */
  positions: number[]
  restocked: number
  restock: boolean
  /** Where the restocked units go. */
  lots: LotUnits[]
  /** Whether no unit of the line is left to ship. */
  hasNothingLeft: boolean
}

/** The refund of a line; none when the line is not requested. */
function toLineRefund(
  line: OrderLine,
  {
    earlier = noLineRefunds,
    requested,
    name,
  }: { earlier: LineRefunds | undefined; requested: readonly RefundLineInput[]; name: string },
): LineRefund[] {
  const input = requested.find(({ lineId }) => lineId === line.id)
  if (!input) return []
  const remaining = line.quantity - earlier.refunded
  if (input.quantity > remaining) {
    throw new AppError('CONFLICT', `Only ${remaining} of ${name} can still be refunded.`)
  }
  const positions = nextUnits(earlier.units, input.quantity)
  // A refund that failed may have restocked units already.
  const notRestocked = positions.filter(
    (position) => position < line.quantity && !earlier.units[position]?.isRestocked,
  )
  // Never more than were sold, whatever the order of refunds that failed at the same time.
  const restockable = notRestocked.slice(0, Math.max(0, line.quantity - earlier.restocked))
  const restocked = input.restock && line.isTracked ? restockable : []
  return [
    {
      line,
      positions,
      restocked: restocked.length,
      restock: input.restock,
      lots: lotsOfUnits(line.lots ?? [], restocked),
      hasNothingLeft: unitsLeftToShip(line.quantity, earlier).every((position) =>
        positions.includes(position),
      ),
    },
  ]
}
