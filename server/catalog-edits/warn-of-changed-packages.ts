import { findCurrentVariants } from '#db/catalog/variant-lookup.ts'
import { listOrdersToPreview } from '#db/orders/admin-orders.ts'
import { listLineRefunds } from '#db/orders/refunds.ts'
import { can } from '#domain/accounts/permissions.ts'
import { changedPackageFacts, describeChangedOrders } from '#domain/catalog/edit-questions.ts'
import { orderRef } from '#domain/orders/order-ref.ts'
import { canCancel } from '#domain/orders/order-status.ts'
import { linesLeftToShip } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'
import { tryReadOrderContent } from '../orders/order-reader.ts'

/**
 * Which lines of these open orders are of variants that the catalog describes differently by now,
 * in one sentence, or null. The caller has recorded the reads.
 */
export async function warnOfChangedPackages(ctx: Context, ids: readonly string[]): Promise<string | null> {
  const rows = (await listOrdersToPreview(ctx.db, ids)).filter(({ status }) => canCancel(status))
  const refunds = await listLineRefunds(
    ctx.db,
    rows.map(({ id }) => id),
  )
  const lines = rows.flatMap((row) => {
    const content = tryReadOrderContent(ctx, row)
    return content ? linesLeftToShip(content, refunds).map((line) => ({ orderId: row.id, line })) : []
  })
  const variantIds = [...new Set(lines.map(({ line }) => line.productVariantId))]
  const current = new Map((await findCurrentVariants(ctx.db, variantIds)).map((row) => [row.id, row]))
  const changed = lines.filter(({ line }) => {
    const variant = current.get(line.productVariantId)
    return variant !== undefined && changedPackageFacts(variant, line.variant).length > 0
  })
  if (changed.length === 0) return null
  const names = changed.map(({ line, orderId }) => `${line.product.name} (order ${orderRef(orderId)})`)
  return describeChangedOrders(can(ctx.user, 'orders.medicines') ? names : [], changed.length)
}
