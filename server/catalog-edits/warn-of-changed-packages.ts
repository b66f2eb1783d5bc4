import { listVariantEditsAfter, type VariantEdit } from '#db/catalog/catalog-changes.ts'
import { findCurrentVariants } from '#db/catalog/variant-lookup.ts'
import { listOrdersToPreview } from '#db/orders/admin-orders.ts'
import { listLineRefunds } from '#db/orders/refunds.ts'
import { can } from '#domain/accounts/permissions.ts'
import {
  changedIdentity,
  changedPackageFacts,
  describeChangedOrders,
  describeChangedIdentifiers,
  identityBefore,
} from '#domain/catalog/edit-questions.ts'
import { groupBy } from '#domain/group-by.ts'
import { orderRef } from '#domain/orders/order-ref.ts'
import { canCancel } from '#domain/orders/order-status.ts'
import { linesLeftToShip, type OrderLine } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'
import { tryReadOrderContent } from '../orders/order-reader.ts'

/** A line of an open order, and when the checkout copied its variant. */
type OpenLine = { orderId: string; copiedAt: Date; line: OrderLine }

/**
 * Which lines of these open orders are of variants that the catalog describes or identifies
 * differently by now: up to one sentence for each. The caller has recorded the reads.
 */
export async function warnOfChangedPackages(ctx: Context, ids: readonly string[]): Promise<string[]> {
  const lines = await readOpenLines(ctx, ids)
  const variantIds = [...new Set(lines.map(({ line }) => line.productVariantId))]
  const current = new Map((await findCurrentVariants(ctx.db, variantIds)).map((row) => [row.id, row]))
  const described = lines.filter(({ line }) => {
    const variant = current.get(line.productVariantId)
    return variant !== undefined && changedPackageFacts(variant, line.variant).length > 0
  })
  const edits = await readEdits(ctx, [...current.keys()], lines)
  const identified = lines.filter(({ line, copiedAt }) => {
    const variant = current.get(line.productVariantId)
    // An order keeps no codes, so those that the variant had are read from its history.
    const later = (edits.get(line.productVariantId) ?? []).filter(({ at }) => at > copiedAt)
    return variant !== undefined && changedIdentity(identityBefore(variant, later), variant).length > 0
  })
  const canNameThem = can(ctx.user, 'orders.medicines')
  const namesOf = (some: readonly OpenLine[]): string[] =>
    canNameThem ? some.map(({ line, orderId }) => `${line.product.name} (order ${orderRef(orderId)})`) : []
  return [
    ...(described.length > 0 ? [describeChangedOrders(namesOf(described), described.length)] : []),
    ...(identified.length > 0 ? [describeChangedIdentifiers(namesOf(identified), identified.length)] : []),
  ]
}

async function readOpenLines(ctx: Context, ids: readonly string[]): Promise<OpenLine[]> {
  const rows = (await listOrdersToPreview(ctx.db, ids)).filter(({ status }) => canCancel(status))
  const refunds = await listLineRefunds(
    ctx.db,
    rows.map(({ id }) => id),
  )
  return rows.flatMap((row) => {
    const content = tryReadOrderContent(ctx, row)
    if (!content) return []
    return linesLeftToShip(content, refunds).map((line) => ({
      orderId: row.id,
      copiedAt: row.checkoutAt ?? row.createdAt,
      line,
    }))
  })
}

/** The edits of variants since the first of these lines was copied, by variant. */
async function readEdits(
  { db }: Pick<Context, 'db'>,
  variantIds: readonly string[],
  lines: readonly OpenLine[],
): Promise<Map<string | null, VariantEdit[]>> {
  if (lines.length === 0) return new Map()
  const since = Math.min(...lines.map(({ copiedAt }) => copiedAt.getTime()))
  const edits = await listVariantEditsAfter(db, variantIds, new Date(since))
  return groupBy(edits, ({ variantId }) => variantId)
}
