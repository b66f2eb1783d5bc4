import { can } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { canCancel } from '#domain/orders/order-status.ts'
import type { Context } from '../context.ts'
import { UnsealError } from '../crypto/sealing.ts'
import { findOrder } from '../orders/find-order.ts'
import { requirePermission } from '../require-user.ts'
import { readDispensedOrder, readLabel, type DispensedOrder } from './get-label.ts'

/**
 * The lines of an open order whose labels are drafts; none of a closed order, and none for staff
 * who may not read labels. Not audited: the caller writes the audit row. Throws UNAUTHENTICATED,
 * FORBIDDEN, NOT_FOUND.
 */
export async function listDraftLabels(ctx: Context, orderId: string): Promise<string[]> {
  requirePermission(ctx, 'orders.read')
  if (!can(ctx.user, 'orders.medicines')) return []
  const order = await findOrder(ctx, orderId)
  if (!canCancel(order.status)) return []
  const dispensed = await readDispensedOrder(ctx, order)
  const drafts: string[] = []
  for (const { id, product } of dispensed.content.lines) {
    if (product.category === 'Rx' && (await isDraft(ctx, dispensed, id))) drafts.push(id)
  }
  return drafts
}

async function isDraft(ctx: Context, dispensed: DispensedOrder, lineId: string): Promise<boolean> {
  try {
    return (await readLabel(ctx, dispensed, lineId)).gaps.length > 0
  } catch (error) {
    // Refused, refunded, or not transcribed: it has no label.
    if (error instanceof AppError) return false
    if (!(error instanceof UnsealError)) throw error
    // A damaged row must not hide the order. Its label cannot be printed.
    ctx.log.error({ err: error, orderId: dispensed.order.id, lineId }, 'label could not be read')
    return true
  }
}
