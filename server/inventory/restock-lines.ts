import { pipeline } from '#db/engine/sql.ts'
import { restock } from '#db/inventory/stock.ts'
import type { FrozenLine } from '#domain/checkout/checkout.ts'
import type { Context } from '../context.ts'
import { recordOrderStock } from './record-order-stock.ts'

/** Units of an order line that go back into stock. */
export type ReturnedLine = Pick<FrozenLine, 'productVariantId' | 'quantity' | 'isTracked' | 'product'> & {
  orderId: string
}

/**
 * Returns units of order lines to stock, with their ledger rows. Call it once per transaction, and
 * last: paying customers wait for these rows until it commits.
 */
export async function restockLines(
  { db, keys, now }: Pick<Context, 'db' | 'keys' | 'now'>,
  lines: readonly ReturnedLine[],
): Promise<void> {
  // In the order of their ids, so that two transactions cannot deadlock.
  const tracked = lines
    .filter(({ isTracked }) => isTracked)
    .toSorted((a, b) => (a.productVariantId < b.productVariantId ? -1 : 1))
  const changes = await pipeline(
    ...tracked.map(({ productVariantId: variantId, quantity }) => restock(db, { variantId, quantity })),
  )
  await recordOrderStock(
    { db, keys, now },
    {
      orderIds: [...new Set(lines.map(({ orderId }) => orderId))],
      lines,
      changes: changes.filter((change) => change !== null),
      transactionType: 'cancellation',
    },
  )
}
