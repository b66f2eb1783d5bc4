import { eachPage } from '#db/engine/each-row.ts'
import { listShippedOrders } from '#db/orders/list-orders.ts'
import type { OrderRow } from '#db/orders/orders.ts'
import type { OrderContent } from '#domain/orders/orders.ts'
import { dayMs } from '#domain/days.ts'
import type { Context } from '../context.ts'
import { getSettings } from '../settings/get-settings.ts'
import { tryReadOrderContent } from './order-reader.ts'
import { findSentLines } from './sent-lines.ts'

/** An order that shipped. `content` is null when it can't be decrypted, which is logged. */
type ShippedOrder = { row: Pick<OrderRow, 'id' | 'userId'>; content: OrderContent | null }

const ordersPerRead = 200

/**
 * The orders that shipped in the days in which customers are notified of recalls, by id, one page
 * in memory. Their lines are what their customers may have.
 */
export async function* eachShippedOrder(
  ctx: Pick<Context, 'db' | 'keys' | 'log' | 'now' | 'shop'>,
): AsyncGenerator<ShippedOrder> {
  const { recallNoticeDays } = await getSettings(ctx)
  const since = new Date(ctx.now.getTime() - recallNoticeDays * dayMs)
  const read = (page: { after: string; limit: number }) => listShippedOrders(ctx.db, { ...page, since })
  for await (const rows of eachPage(read, { key: 'id', limit: ordersPerRead })) {
    const sentLines = await findSentLines(
      ctx,
      rows.map(({ id }) => id),
    )
    for (const row of rows) {
      const content = tryReadOrderContent(ctx, row)
      yield { row, content: content && { ...content, lines: sentLines(content) } }
    }
  }
}
