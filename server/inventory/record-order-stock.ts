import { insertTransactions } from '#db/inventory/inventory-transactions.ts'
import { recordUnitsSold, refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import { pipeline } from '#db/engine/sql.ts'
import type { StockChange } from '#db/inventory/stock.ts'
import type { FrozenLine } from '#domain/checkout/checkout.ts'
import type { Context } from '../context.ts'

type OrderStock = {
  lines: readonly Pick<FrozenLine, 'product' | 'quantity'>[]
  /** The stock changes of the lines with tracked stock. */
  changes: readonly StockChange[]
  transactionType: 'sale' | 'cancellation'
}

/**
 * Records what an order or its cancellation did to the stock, in the same transaction: the ledger
 * rows, the units sold per product, and the summaries of products of which a variant ran out or
 * came back.
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
  await pipeline(
    insertTransactions(
      db,
      changes.map((change) => ({ change, transactionType, notes: null })),
    ),
    ...[...sold].map(([productId, units]) => recordUnitsSold(db, { productId, units })),
  )
  const productIds = changes
    .filter((change) => change.hasAvailabilityChanged)
    .map((change) => change.productId)
  await refreshProductSummaries(db, [...new Set(productIds)].toSorted(), now)
}
