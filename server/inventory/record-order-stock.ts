import { insertTransactions } from '#db/inventory/inventory-transactions.ts'
import { recordUnitsSold, refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import { together } from '#db/engine/sql.ts'
import type { StockChange } from '#db/inventory/stock.ts'
import type { FrozenLine } from '#domain/checkout/checkout.ts'
import type { Context } from '../context.ts'

type OrderStock = {
  lines: readonly Pick<FrozenLine, 'product' | 'quantity'>[]
  /** What the lines that take from a tracked stock did to it. */
  changes: readonly StockChange[]
  transactionType: 'sale' | 'cancellation'
}

/**
 * Writes down what an order, or its cancelling, did to the stock, in the transaction that did it: the ledger, how many of each product
 * are sold, and the products of which something ran out or came back.
 */
export async function recordOrderStock(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { lines, changes, transactionType }: OrderStock,
): Promise<void> {
  const sign = transactionType === 'sale' ? 1 : -1
  const sold = new Map<string, number>()
  for (const { product, quantity } of lines) {
    sold.set(product.id, (sold.get(product.id) ?? 0) + sign * quantity)
  }
  await together(
    insertTransactions(
      db,
      changes.map((change) => ({ change, transactionType, notes: null })),
    ),
    ...[...sold].map(([productId, units]) => recordUnitsSold(db, { productId, units })),
  )
  const flipped = changes.filter((change) => change.flipped).map((change) => change.productId)
  await refreshProductSummaries(db, [...new Set(flipped)].toSorted(), now)
}
