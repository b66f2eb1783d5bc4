import { updateSealedOrder, type OrderRow } from '#db/orders/orders.ts'
import type { Context } from '../context.ts'
import { openContent, sealOrder } from './sealed-order.ts'

/**
 * Removes the name, email address and shipping address from an order. Its lines stay, because the
 * stock is verified against them.
 */
export async function removeOrderCustomer(
  ctx: Pick<Context, 'db' | 'keys'>,
  row: Pick<OrderRow, 'id' | 'sealedOrder'>,
): Promise<void> {
  const { lines, refusedLines } = openContent(ctx.keys, row)
  const content = {
    lines,
    refusedLines,
    shipTo: { text: '', parts: null },
    customer: { name: '', email: '' },
  }
  await updateSealedOrder(ctx.db, { id: row.id, sealedOrder: sealOrder(ctx.keys, row.id, content) })
}
