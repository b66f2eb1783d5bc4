import { putBack, type StockChange } from '#db/stock.ts'
import type { FrozenLine } from '#domain/checkout.ts'
import type { Context } from '../context.ts'
import { recordOrderStock } from './record-order-stock.ts'

/**
 * Puts pieces of an order's lines back into stock, with the ledger's rows, in the transaction that gives them back.
 * @param lines in the order of an order: of their variants' ids, so that no two orders wait for each other
 */
export async function restockLines(
  { db, now }: Pick<Context, 'db' | 'now'>,
  lines: readonly Pick<FrozenLine, 'productVariantId' | 'quantity' | 'isTracked' | 'product'>[],
): Promise<void> {
  const changes: StockChange[] = []
  for (const { productVariantId: variantId, quantity, isTracked } of lines) {
    const change = isTracked ? await putBack(db, { variantId, quantity, now }) : null
    if (change) changes.push(change)
  }
  await recordOrderStock({ db, now }, { lines, changes, transactionType: 'cancellation' })
}
