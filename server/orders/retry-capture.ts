import { lockOrder } from '#db/orders/orders.ts'
import { findOrderHold } from '#db/orders/payment-holds.ts'
import { AppError } from '#domain/errors.ts'
import { inTransaction, type Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { findOrder, refuseOwnOrder } from './find-order.ts'
import { listUndecidedLines } from './list-undecided-lines.ts'
import { requestCapture } from './request-capture.ts'

/**
 * Charges an order again whose capture the provider refused. Throws UNAUTHENTICATED, FORBIDDEN,
 * NOT_FOUND, and CONFLICT when no capture was refused, or when a line waits for a pharmacist again.
 */
export async function retryCapture(ctx: Context, id: string): Promise<void> {
  requirePermission(ctx, 'orders.ship')
  const row = await findOrder(ctx, id)
  refuseOwnOrder(ctx, row)
  const hold = await findOrderHold(ctx.db, id)
  if (hold?.status === 'capturing') return
  if (hold?.status !== 'authorized' || hold.refusedAt === null) {
    throw new AppError('CONFLICT', 'This order has no failed capture to retry.')
  }
  await inTransaction(ctx, async (ctx) => {
    const locked = await lockOrder(ctx.db, id)
    if (locked && (await listUndecidedLines(ctx, locked)).length > 0) {
      throw new AppError('CONFLICT', 'A pharmacist must review this order again before it is charged.')
    }
    await requestCapture(ctx, id)
  })
}
