import type { Context } from '../context.ts'
import { eachShippedOrder } from './each-shipped-order.ts'

/** A fifth of a second of decryption. */
const maxRead = 2000

/**
 * Whether customers may have units of a variant that a recall would tell them about: an order with
 * it shipped in the days of recall notices. Also true when an order can't be decrypted, and when
 * more than 2,000 shipped and none of those read has it. It names no customer, so no read is
 * audited.
 */
export async function mayHaveShipped(ctx: Context, variantId: string): Promise<boolean> {
  let read = 0
  for await (const { content } of eachShippedOrder(ctx)) {
    if (!content || content.lines.some(({ productVariantId }) => productVariantId === variantId)) return true
    if (++read >= maxRead) return true
  }
  return false
}
