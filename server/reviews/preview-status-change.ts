import { listOpenOrders } from '#db/orders/admin-orders.ts'
import { can } from '#domain/accounts/permissions.ts'
import { describeDraftLabels } from '#domain/dispensing/label-rules.ts'
import type { OrderTarget, StatusChangePreview } from '#domain/orders/admin-orders.ts'
import { orderRef } from '#domain/orders/order-ref.ts'
import { needsClearance, type OrderStatus } from '#domain/orders/order-status.ts'
import { warnOfChangedPackages } from '../catalog-edits/warn-of-changed-packages.ts'
import type { Context } from '../context.ts'
import { findOrder } from '../orders/find-order.ts'
import { maxChecked, previewOrderChange } from '../orders/set-order-statuses.ts'
import { findDraftLines } from './list-draft-labels.ts'

/**
 * What a status change of many orders will do, for staff to read before they apply it. Before
 * orders ship, it warns of labels that are drafts and of packages that the catalog describes or
 * identifies differently by now, or says that there are too many orders to check. Throws like
 * `previewOrderChange`.
 */
export async function previewStatusChange(
  ctx: Context,
  request: { target: OrderTarget; status: OrderStatus },
): Promise<StatusChangePreview> {
  const preview = await previewOrderChange(ctx, request)
  if (!needsClearance(request.status)) return preview
  const { ids, refused, warnings } = preview
  const refusedIds = new Set(refused.map(({ id }) => id))
  const allowed = ids.filter((id) => !refusedIds.has(id))
  const toShip = await listOpenOrders(ctx.db, allowed)
  const rxIds = toShip.filter(({ hasRx }) => hasRx).map(({ id }) => id)
  const found =
    ids.length <= maxChecked
      ? [...(await warnOfChangedPackages(ctx, allowed)), await warnOfDrafts(ctx, rxIds, ids.length === 1)]
      : [
          toShip.length > 0 ? unchecked('changed packages') : null,
          rxIds.length > 0 ? unchecked('draft labels') : null,
        ]
  return { ...preview, warnings: [...warnings, ...found.filter((warning) => warning !== null)] }
}

const unchecked = (what: string): string =>
  `We didn’t check these orders for ${what}. We check up to ${maxChecked} orders at a time.`

/** Which labels are drafts, in one sentence, or null. The preview has recorded the reads. */
async function warnOfDrafts(ctx: Context, ids: readonly string[], isOne: boolean): Promise<string | null> {
  const canNameThem = can(ctx.user, 'orders.medicines')
  const names: (string | null)[] = []
  for (const id of ids) {
    const lines = await findDraftLines(ctx, await findOrder(ctx, id))
    const inOrder = isOne ? '' : ` (order ${orderRef(id)})`
    names.push(...lines.map(({ product }) => (canNameThem ? `${product.name}${inOrder}` : null)))
  }
  return describeDraftLabels(names)
}
