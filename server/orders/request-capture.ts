import { lockOrder } from '#db/orders/orders.ts'
import { decidePaymentHold } from '#db/orders/payment-holds.ts'
import { sumLines } from '#domain/checkout/checkout.ts'
import { remainingLines } from '#domain/orders/orders.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requestVoid } from './request-void.ts'
import { openContent } from './sealed-order.ts'

/**
 * Decides to charge an order for the lines that were not refused, or to void its authorization when
 * none is left. Call it in the transaction that decides the last line. The job then calls the
 * provider. Returns false and changes nothing when the payment is decided already, when the order
 * is cancelled, and for an order that was charged at checkout.
 */
export const requestCapture = (ctx: Context, orderId: string): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    // A concurrent refusal of a line waits, or its lines are read here.
    const row = await lockOrder(ctx.db, orderId)
    if (!row || row.status === 'cancelled') return false
    const amountCents = sumLines(remainingLines(openContent(ctx.keys, row)))
    if (amountCents === 0) return requestVoid(ctx, orderId)
    const decision = { orderId, to: 'capturing', amountCents, now: ctx.now } as const
    if (!(await decidePaymentHold(ctx.db, decision))) return false
    if (row.userId !== null) {
      await recordAudit(ctx, { action: 'payment.capture-begun', subjectId: row.userId, objectId: orderId })
    }
    return true
  })
