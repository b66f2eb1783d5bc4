import { listUnshippedOrders } from '#db/orders/orders.ts'
import { eachRow } from '#db/engine/each-row.ts'
import { can } from '#domain/accounts/permissions.ts'
import { remainingLines } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { orderReadRecorder } from './record-order-reads.ts'
import { openContent } from './sealed-order.ts'

/** An order that holds units of a lot and has not shipped. */
export type LotOrder = { orderId: string; lineId: string; units: number }

const ordersPerRead = 200

/**
 * The orders that hold units of a lot and have not shipped. They do not ship until other lots are
 * picked (`repickLots`) when the lot is not available. Only the orders know their lots, so each
 * that is open is decrypted; the reads of those that are returned are audited. Throws
 * UNAUTHENTICATED, FORBIDDEN. Staff who may not see orders get none.
 */
export async function findLotOrders(ctx: Context, lotId: string): Promise<LotOrder[]> {
  const user = requirePermission(ctx, 'stock.read')
  if (!can(user, 'orders.medicines')) return []
  const found: (LotOrder & { userId: string | null })[] = []
  const pages = (page: { after: string; limit: number }) => listUnshippedOrders(ctx.db, page)
  for await (const row of eachRow(pages, { key: 'id', limit: ordersPerRead })) {
    for (const { id: lineId, lots = [] } of remainingLines(openContent(ctx.keys, row))) {
      const units = lots.reduce((sum, lot) => (lot.lotId === lotId ? sum + lot.quantity : sum), 0)
      if (units > 0) found.push({ orderId: row.id, lineId, units, userId: row.userId })
    }
  }
  await orderReadRecorder(ctx)(found)
  return found.map(({ orderId, lineId, units }) => ({ orderId, lineId, units }))
}
