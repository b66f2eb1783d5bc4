import { listOrdersById } from '#db/orders/list-orders.ts'
import { remainingLines } from '#domain/orders/orders.ts'
import { recordReads } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { tryReadOrderContent } from '../orders/order-reader.ts'
import { findSentLines } from '../orders/sent-lines.ts'

/** What a recall affects of an order, for the staff who call its customer. */
export type RecalledLines = { customerName: string; units: number; lots: string[] }

/**
 * The affected lines of these orders, by order. Orders of deleted accounts have no entry; one that
 * cannot be decrypted is logged and is null. The reads are audited.
 */
export async function readRecalledLines(
  ctx: Context,
  orders: readonly { orderId: string; lineIds: readonly string[] }[],
): Promise<ReadonlyMap<string, RecalledLines | null>> {
  const ids = orders.map(({ orderId }) => orderId)
  const rows = await listOrdersById(ctx.db, ids)
  const leftOf = await findSentLines(ctx, ids)
  const linesOf = new Map(orders.map(({ orderId, lineIds }) => [orderId, lineIds]))
  const found = new Map<string, RecalledLines | null>()
  for (const row of rows) {
    const content = tryReadOrderContent(ctx, row)
    const left = content && leftOf({ lines: remainingLines(content), refusedLines: [] })
    const affected = left?.filter(({ id }) => linesOf.get(row.id)?.includes(id)) ?? []
    found.set(
      row.id,
      content && {
        customerName: content.customer.name,
        units: affected.reduce((sum, { quantity }) => sum + quantity, 0),
        lots: [...new Set(affected.flatMap(({ lots = [] }) => lots.map(({ lotNumber }) => lotNumber)))],
      },
    )
  }
  const subjectIds = [...new Set(rows.map(({ userId }) => userId))]
  await recordReads(ctx, { action: 'orders.read', subjectIds })
  return found
}
