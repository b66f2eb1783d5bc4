import { findOrderHold } from '#db/orders/payment-holds.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { findOrder, refuseOwnOrder } from './find-order.ts'
import { requestCapture } from './request-capture.ts'

/**
 * Charges an order again whose capture the provider refused. Throws UNAUTHENTICATED, FORBIDDEN,
 * NOT_FOUND, and CONFLICT when no capture was refused.
 */
export async function retryCapture(ctx: Context, id: string): Promise<void> {
  requirePermission(ctx, 'orders.ship')
  const row = await findOrder(ctx, id)
  refuseOwnOrder(ctx, row)
  const hold = await findOrderHold(ctx.db, id)
  if (hold?.status === 'capturing') return
  if (hold?.status !== 'authorized' || hold.refusedAt === null) {
    throw new AppError('CONFLICT', 'No refused capture of this order can be tried again.')
  }
  await requestCapture(ctx, id)
}
