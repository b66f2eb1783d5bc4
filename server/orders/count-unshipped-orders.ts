import type { Context } from '../context.ts'
import { eachUnshippedOrder } from './each-unshipped-order.ts'

/**
 * How many orders with one of these variants have not shipped. Only the orders know their lines, so
 * each that is open is decrypted. The number names no customer, so no read is audited.
 */
export async function countUnshippedOrders(
  ctx: Pick<Context, 'db' | 'keys' | 'log'>,
  variantIds: readonly string[],
): Promise<number> {
  const wanted = new Set(variantIds)
  let count = 0
  for await (const { content } of eachUnshippedOrder(ctx))
    if (content.lines.some(({ productVariantId }) => wanted.has(productVariantId))) count++
  return count
}
