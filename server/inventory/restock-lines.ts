import { pipeline } from '#db/engine/sql.ts'
import { returnToLots } from '#db/inventory/lots.ts'
import { moveLot, restock } from '#db/inventory/stock.ts'
import type { FrozenLine } from '#domain/checkout/checkout.ts'
import type { Context } from '../context.ts'
import { sumUnits } from '#domain/inventory/lots.ts'
import { recordOrderStock } from './record-order-stock.ts'
import { recordStock } from './record-stock.ts'
import { toLotEntry } from './lot-entry.ts'

/** Units of an order line that go back into stock. */
export type ReturnedLine = Pick<
  FrozenLine,
  'productVariantId' | 'quantity' | 'isTracked' | 'product' | 'lots'
> & {
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
    ...tracked.map(({ productVariantId: variantId, quantity, lots = [] }) =>
      restock(db, { variantId, quantity, lots }),
    ),
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
  await returnLots({ db, keys, now }, tracked)
}

/**
 * Returns units to the lots that they were picked from. Those of a lot that is not available any
 * more leave the stock again.
 */
async function returnLots(
  { db, keys, now }: Pick<Context, 'db' | 'keys' | 'now'>,
  lines: readonly ReturnedLine[],
): Promise<void> {
  const units = lines.flatMap(({ lots = [] }) => lots)
  for (const lot of await returnToLots(db, units)) {
    if (lot.status === 'available') continue
    const quantity = sumUnits(units.filter(({ lotId }) => lotId === lot.id))
    const change = await moveLot(db, { lotId: lot.id, variantId: lot.variantId, quantity }, -1)
    if (change) await recordStock({ db, keys, now }, toLotEntry(lot, change, lot.status))
  }
}
