import { can } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import type { OrderLine } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'
import { UnsealError } from '../crypto/sealing.ts'
import { findOrder, type CustomerOrder } from '../orders/find-order.ts'
import { requirePermission } from '../require-user.ts'
import { readDispensedOrder, readLabel, type DispensedOrder } from './get-label.ts'

/**
 * The lines of an order whose labels are drafts, shipped or not: a sheet that forbids dispensing
 * may be in the package. None for staff who may not read labels. Not audited: the caller writes the
 * audit row. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND.
 */
export async function listDraftLabels(ctx: Context, orderId: string): Promise<string[]> {
  requirePermission(ctx, 'orders.read')
  if (!can(ctx.user, 'orders.medicines')) return []
  const lines = await findDraftLines(ctx, await findOrder(ctx, orderId))
  return lines.map(({ id }) => id)
}

/** The same lines, for a caller that may read the order. Not audited. Throws UnsealError. */
export async function findDraftLines(ctx: Context, order: CustomerOrder): Promise<OrderLine[]> {
  // An order that was cancelled before it shipped has no labels.
  if (!order.hasRx || order.restockedAt !== null) return []
  const dispensed = await readDispensedOrder(ctx, order)
  const drafts: OrderLine[] = []
  for (const line of dispensed.content.lines) {
    if (line.product.category === 'Rx' && (await isDraft(ctx, dispensed, line.id))) drafts.push(line)
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
