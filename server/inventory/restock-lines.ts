import { together } from '#db/engine/sql.ts'
import { restock } from '#db/inventory/stock.ts'
import type { FrozenLine } from '#domain/checkout/checkout.ts'
import type { Context } from '../context.ts'
import { recordOrderStock } from './record-order-stock.ts'

/** Pieces of an order's line that go back into stock. */
export type ReturnedLine = Pick<FrozenLine, 'productVariantId' | 'quantity' | 'isTracked' | 'product'>

/**
 * Puts pieces of orders' lines back into stock, with the ledger's rows, in the transaction that gives them back: once in it, and last, for
 * customers who pay wait for these rows until it is stored.
 */
export async function restockLines(
  { db, now }: Pick<Context, 'db' | 'now'>,
  lines: readonly ReturnedLine[],
): Promise<void> {
  // In the order of their ids, so that no two transactions wait for each other crosswise.
  const tracked = lines
    .filter(({ isTracked }) => isTracked)
    .toSorted((a, b) => (a.productVariantId < b.productVariantId ? -1 : 1))
  const changes = await together(
    ...tracked.map(({ productVariantId: variantId, quantity }) => restock(db, { variantId, quantity, now })),
  )
  await recordOrderStock(
    { db, now },
    { lines, changes: changes.filter((change) => change !== null), transactionType: 'cancellation' },
  )
}
