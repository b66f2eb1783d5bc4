import { listLineRefunds } from '#db/orders/refunds.ts'
import { linesLeftToShip, type OrderContent, type OrderLine } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'

/**
 * Finds what of shipped orders their customers may have: the lines with the units and lots that
 * were not refunded before the order first shipped.
 */
export async function findSentLines(
  { db }: Pick<Context, 'db'>,
  orderIds: readonly string[],
): Promise<(content: Pick<OrderContent, 'lines' | 'refusedLines'>) => OrderLine[]> {
  const refunds = await listLineRefunds(db, orderIds, { isBeforeShipping: true })
  return (content) => linesLeftToShip(content, refunds)
}
