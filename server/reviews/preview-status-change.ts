import { listOpenRxOrderIds } from '#db/orders/admin-orders.ts'
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
 * orders ship, it warns of labels that are drafts and of
 * packages that the catalog describes differently by now. Throws like `previewOrderChange`.
 */
export async function previewStatusChange(
  ctx: Context,
  request: { target: OrderTarget; status: OrderStatus },
): Promise<StatusChangePreview> {
  const preview = await previewOrderChange(ctx, request)
  if (!needsClearance(request.status)) return preview
  const { ids, refused, warnings = [] } = preview
  const refusedIds = new Set(refused.map(({ id }) => id))
  const allowed = ids.filter((id) => !refusedIds.has(id))
  const isChecked = ids.length <= maxChecked
  const toShip = await listOpenRxOrderIds(ctx.db, allowed)
  const found = [
    isChecked ? await warnOfChangedPackages(ctx, allowed) : null,
    toShip.length === 0
      ? null
      : isChecked
        ? await warnOfDrafts(ctx, toShip, ids.length === 1)
        : uncheckedWarning,
  ]
  return { ...preview, warnings: [...warnings, ...found.filter((warning) => warning !== null)] }
}

const uncheckedWarning = `We didn’t check these orders for draft labels. We check up to ${maxChecked} orders at a time.`

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
