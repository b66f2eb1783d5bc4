import { listLineRefunds } from '#db/orders/refunds.ts'
import { orderRef } from '#domain/orders/order-ref.ts'
import { canCancel } from '#domain/orders/order-status.ts'
import { linesLeftToShip } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'
import { findDestinationWarnings } from './find-destination-warnings.ts'
import type { CustomerOrder } from './find-order.ts'
import { listOrderLotProblems } from './find-order-lot-problems.ts'
import { openContent } from './sealed-order.ts'
import { linesToShip } from './visible-lines.ts'

/**
 * The warnings for these orders: one sentence when no pharmacy ships some of them to their
 * destinations, and the lots that expire on the way.
 */
export async function listShippingWarnings(ctx: Context, rows: readonly CustomerOrder[]): Promise<string[]> {
  const open = rows.filter((row) => canCancel(row.status))
  if (open.length === 0) return []
  const orders = open.map((row) => ({ row, content: openContent(ctx.keys, row) }))
  const refunds = await listLineRefunds(
    ctx.db,
    open.map(({ id }) => id),
  )
  const unserved = await findDestinationWarnings(ctx, orders, refunds)
  const warnings = unserved.size === 0 ? [] : [describeUnservedOrders([...unserved.keys()])]
  const toShip = orders.map(({ row, content }) => ({
    row,
    content,
    lines: linesToShip(ctx, row, linesLeftToShip(content, refunds)),
  }))
  for (const { row, problems } of await listOrderLotProblems(ctx, toShip)) {
    const name = orders.length === 1 ? '' : `Order ${orderRef(row.id)}: `
    warnings.push(...new Set(problems.map(({ message }) => name + message)))
  }
  return warnings
}

const describeUnservedOrders = (ids: readonly string[]): string => {
  const isOne = ids.length === 1
  const refs = new Intl.ListFormat('en-US').format(ids.map(orderRef))
  return `No pharmacy ships ${isOne ? 'order' : 'orders'} ${refs} to ${isOne ? 'its destination. Contact the customer' : 'their destinations. Contact the customers'} first.`
}
