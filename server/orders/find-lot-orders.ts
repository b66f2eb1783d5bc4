import { can } from '#domain/accounts/permissions.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { eachUnshippedOrder } from './each-unshipped-order.ts'
import { orderReadRecorder } from './record-order-reads.ts'

/** An order that holds units of a lot and has not shipped. */
export type LotOrder = { orderId: string; lineId: string; units: number }

/**
 * The orders that hold units of a lot and have not shipped. They do not ship until other lots are
 * picked (`repickLots`) when the lot is not available. Only the orders know their lots, so each
 * that is open is decrypted. One that cannot be decrypted is logged and left out. The reads of
 * those that are returned are audited. Throws UNAUTHENTICATED, FORBIDDEN. Staff who may not see
 * orders get none.
 */
export async function findLotOrders(ctx: Context, lotId: string): Promise<LotOrder[]> {
  const user = requirePermission(ctx, 'stock.read')
  if (!can(user, 'orders.medicines')) return []
  const found: (LotOrder & { userId: string | null })[] = []
  for await (const { row, content } of eachUnshippedOrder(ctx)) {
    for (const { id: lineId, lots = [] } of content.lines) {
      const units = lots.reduce((sum, lot) => (lot.lotId === lotId ? sum + lot.quantity : sum), 0)
      if (units > 0) found.push({ orderId: row.id, lineId, units, userId: row.userId })
    }
  }
  await orderReadRecorder(ctx)(found)
  return found.map(({ orderId, lineId, units }) => ({ orderId, lineId, units }))
}
