import { deleteLineNotes } from '#db/dispensing/line-reviews.ts'
import { updateSealedOrder, type OrderRow } from '#db/orders/orders.ts'
import type { Context } from '../context.ts'
import { openContent, sealOrder } from './sealed-order.ts'

/**
 * Removes the name, email address and shipping address from an order, and what staff wrote about
 * its lines: reasons of refusals and notes about the patient. The lines stay, because the stock is
 * verified against them. What the law requires of them is in the dispensing records by then.
 */
export async function removeOrderCustomer(
  ctx: Pick<Context, 'db' | 'keys'>,
  row: Pick<OrderRow, 'id' | 'sealedOrder'>,
): Promise<void> {
  const { lines, refusedLines } = openContent(ctx.keys, row)
  const content = {
    lines,
    refusedLines: refusedLines.map((line) => ({ ...line, reason: '' })),
    shipTo: { text: '', parts: null },
    customer: { name: '', email: '' },
  }
  await deleteLineNotes(ctx.db, row.id)
  await updateSealedOrder(ctx.db, { id: row.id, sealedOrder: sealOrder(ctx.keys, row.id, content) })
}
