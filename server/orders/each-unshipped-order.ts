import { eachPage } from '#db/engine/each-row.ts'
import { listUnshippedOrders } from '#db/orders/list-orders.ts'
import type { OrderRow } from '#db/orders/orders.ts'
import { listLineRefunds } from '#db/orders/refunds.ts'
import { linesLeftToShip, type OrderContent } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'
import { tryReadOrderContent } from './order-reader.ts'

/** An order that has not shipped, decrypted. Its lines are those that are left to ship. */
type UnshippedOrder = { row: Pick<OrderRow, 'id' | 'userId'>; content: OrderContent }

const ordersPerRead = 200

/**
 * All orders that have not shipped, by id, one page in memory. Refunded and restocked units are
 * left out, as on the packing slip. An order that cannot be decrypted is logged and skipped: it
 * cannot ship either.
 */
export async function* eachUnshippedOrder({
  db,
  keys,
  log,
}: Pick<Context, 'db' | 'keys' | 'log'>): AsyncGenerator<UnshippedOrder> {
  const read = (page: { after: string; limit: number }) => listUnshippedOrders(db, page)
  for await (const rows of eachPage(read, { key: 'id', limit: ordersPerRead })) {
    const refunds = await listLineRefunds(
      db,
      rows.map(({ id }) => id),
    )
    for (const row of rows) {
      const content = tryReadOrderContent({ keys, log }, row)
      if (content) yield { row, content: { ...content, lines: linesLeftToShip(content, refunds) } }
    }
  }
}
