import { AppError } from '#domain/errors.ts'
import { remainingLines, listRefusedLines } from '#domain/orders/orders.ts'
import { requireUser } from '../require-user.ts'
import { recordRead } from '../audit/record-audit.ts'
import { fillCart } from '../cart/fill-cart.ts'
import type { Context } from '../context.ts'
import { findOrder, orderNotFound } from './find-order.ts'
import { openContent } from './sealed-order.ts'

/** Product names: now in the cart, in the cart with a lower quantity, and unavailable. */
export type ReorderResult = { inCart: string[]; fewer: string[]; missing: string[] }

/**
 * Adds the items of the customer's order to the cart at today's prices, as far as they are
 * available. Checkout then starts with the person they were for. Calling it twice adds them once.
 * Throws UNAUTHENTICATED, and NOT_FOUND when the order is missing or another user's.
 * @param which the items that were not refused, or of an order without any, all; or those that were
 * refused
 */
export async function reorder(
  ctx: Context,
  id: string,
  which: 'remaining' | 'refused' = 'remaining',
): Promise<ReorderResult> {
  const row = await findOrder(ctx, id)
  const { id: userId } = requireUser(ctx)
  if (row.userId !== userId) throw new AppError('NOT_FOUND', orderNotFound)
  await recordRead(ctx, { action: 'order.read', subjectId: row.userId, objectId: id })
  const content = openContent(ctx.keys, row)
  const remaining = remainingLines(content)
  const lines =
    which === 'refused' ? listRefusedLines(content) : remaining.length > 0 ? remaining : content.lines
  const filled = await fillCart(
    ctx,
    lines.map(({ productVariantId: variantId, quantity, product, patientId = userId }) => ({
      variantId,
      quantity,
      // A prescription line is for its prescription's patient.
      ...(product.category !== 'Rx' && { patientId }),
    })),
  )
  const quantities = new Map(filled.map(({ variantId, quantity }) => [variantId, quantity]))
  const result: ReorderResult = { inCart: [], fewer: [], missing: [] }
  for (const { productVariantId, quantity, product } of lines) {
    const added = quantities.get(productVariantId) ?? 0
    if (added > 0) result.inCart.push(product.name)
    if (added === 0) result.missing.push(product.name)
    else if (added < quantity) result.fewer.push(product.name)
  }
  return result
}
