import { AppError } from '#domain/errors.ts'
import { requireUser } from '../require-user.ts'
import { recordRead } from '../audit/record-audit.ts'
import { fillCart } from '../cart/fill-cart.ts'
import type { Context } from '../context.ts'
import { findOrder, orderNotFound } from './find-order.ts'
import { openContent } from './sealed-order.ts'

/** What came of ordering the same once more: the names of what is in the cart, of what there is less of, and of what cannot be bought. */
export type ReorderResult = { inCart: string[]; fewer: string[]; missing: string[] }

/**
 * Puts what an order of one's own held into the cart again, at today's prices, as far as it can still be bought. Twice is once.
 * Throws UNAUTHENTICATED; NOT_FOUND when it is missing or another's.
 */
export async function reorder(ctx: Context, id: string): Promise<ReorderResult> {
  const row = await findOrder(ctx, id)
  if (row.userId !== requireUser(ctx).id) throw new AppError('NOT_FOUND', orderNotFound)
  await recordRead(ctx, { action: 'order.read', subjectId: row.userId, objectId: id })
  const { lines } = openContent(ctx.keys, row)
  const filled = await fillCart(
    ctx,
    lines.map(({ productVariantId: variantId, quantity }) => ({ variantId, quantity })),
  )
  const quantities = new Map(filled.map(({ variantId, quantity }) => [variantId, quantity]))
  const result: ReorderResult = { inCart: [], fewer: [], missing: [] }
  for (const { productVariantId, quantity, product } of lines) {
    const inCart_ = quantities.get(productVariantId) ?? 0
    if (inCart_ > 0) result.inCart.push(product.name)
    if (inCart_ === 0) result.missing.push(product.name)
    else if (inCart_ < quantity) result.fewer.push(product.name)
  }
  return result
}
