import { insertUnitsToCount, refreshProductSummaries } from '#db/catalog/product-summaries.ts'
import { pipeline } from '#db/engine/sql.ts'
import type { StockChange } from '#db/inventory/stock-change.ts'
import type { FrozenLine } from '#domain/checkout/checkout.ts'
import type { Context } from '../context.ts'
import { sealUnits } from './count-units-sold.ts'
import { recordStockChanges } from '../ledger/record-stock-changes.ts'

type OrderStock = {
  /** The orders that sold or returned the lines. */
  orderIds: readonly string[]
  lines: readonly Pick<FrozenLine, 'product' | 'quantity'>[]
  /** The stock changes of the lines with tracked stock. */
  changes: readonly StockChange[]
  transactionType: 'sale' | 'cancellation'
}

/**
 * Records what an order or its cancellation did to the stock, in the same transaction: the ledger
 * rows, the units sold per product, and the summaries of products of which a variant ran out or
 * came back. Nothing of it can be linked to the order without the shop's key.
 */
export async function recordOrderStock(
  { db, keys, now }: Pick<Context, 'db' | 'keys' | 'now'>,
  { orderIds, lines, changes, transactionType }: OrderStock,
): Promise<void> {
  const sign = transactionType === 'sale' ? 1 : -1
  const sold = new Map<string, number>()
  for (const { product, quantity } of lines) {
    sold.set(product.id, (sold.get(product.id) ?? 0) + sign * quantity)
  }
  await pipeline(
    recordStockChanges(
      { db, keys, now },
      changes.map((change) => ({ change, transactionType, notes: null })),
      orderIds,
    ),
    insertUnitsToCount(db, sealUnits(keys, sold)),
  )
  const productIds = changes
    .filter((change) => change.hasAvailabilityChanged)
    .map((change) => change.productId)
  await refreshProductSummaries(db, [...new Set(productIds)].toSorted(), null)
}
