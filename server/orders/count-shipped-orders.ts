import type { Context } from '../context.ts'
import { eachShippedOrder } from './each-shipped-order.ts'

/**
 * How many orders with one of these variants a recall would find after they shipped. Each that
 * shipped in the days of recall notices is decrypted. The number names no customer, so no read is
 * audited.
 */
export async function countShippedOrders(ctx: Context, variantIds: readonly string[]): Promise<number> {
  const wanted = new Set(variantIds)
  let count = 0
  for await (const { content } of eachShippedOrder(ctx))
    if (content?.lines.some(({ productVariantId }) => wanted.has(productVariantId))) count++
  return count
}
