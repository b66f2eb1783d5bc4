import { listVariantsLots } from '#db/inventory/lots.ts'
import type { VariantUses } from '#domain/catalog/edit-questions.ts'
import type { Context } from '../context.ts'
import { countUnshippedOrders } from '../orders/count-unshipped-orders.ts'

/** The stock and the unshipped orders of variants. */
export async function findVariantUses(
  ctx: Context,
  variants: readonly { id: string; stockQuantity: number }[],
): Promise<VariantUses> {
  const ids = variants.map(({ id }) => id)
  const lots = await listVariantsLots(ctx.db, ids)
  return {
    units: variants.reduce((sum, { stockQuantity }) => sum + stockQuantity, 0),
    quarantinedLots: lots.filter(({ status, quantity }) => status === 'quarantined' && quantity > 0).length,
    unshippedOrders: await countUnshippedOrders(ctx, ids),
  }
}
