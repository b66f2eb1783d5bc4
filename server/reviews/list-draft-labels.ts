import { can } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { findOrder, type CustomerOrder } from '../orders/find-order.ts'
import { readOrderContent } from '../orders/order-reader.ts'
import { requirePermission } from '../require-user.ts'
import { readLabel } from './get-label.ts'

/**
 * The lines of an order whose labels are drafts; none for staff who may not read labels. Not
 * audited: the caller writes the audit row. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND.
 */
export async function listDraftLabels(ctx: Context, orderId: string): Promise<string[]> {
  requirePermission(ctx, 'orders.read')
  if (!can(ctx.user, 'orders.medicines')) return []
  const order = await findOrder(ctx, orderId)
  const drafts: string[] = []
  for (const { id, product } of readOrderContent(ctx.keys, order).lines) {
    if (product.category === 'Rx' && (await isDraft(ctx, order, id))) drafts.push(id)
  }
  return drafts
}

async function isDraft(ctx: Context, order: CustomerOrder, lineId: string): Promise<boolean> {
  try {
    return (await readLabel(ctx, order, lineId)).gaps.length > 0
  } catch (error) {
    // Refused, refunded, or not transcribed: it has no label.
    if (error instanceof AppError) return false
    // A damaged row must not hide the order. Its label cannot be printed.
    ctx.log.error({ err: error, orderId: order.id }, 'label could not be read')
    return true
  }
}
