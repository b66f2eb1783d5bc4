import type { Db } from '#db/engine/client.ts'
import { listLineRefunds, sumRefunds } from '#db/orders/refunds.ts'
import { pipeline } from '#db/engine/sql.ts'
import type { EarlierRefunds } from '#domain/orders/cancellation.ts'

type RefundedOrder = { id: string; checkoutId: string }

/** Reads the earlier refunds of these orders. Returns a lookup by order. */
export async function getEarlierRefunds(
  db: Db,
  orders: readonly RefundedOrder[],
): Promise<(order: RefundedOrder) => EarlierRefunds> {
  const [cents, lineRefunds] = await pipeline(
    sumRefunds(
      db,
      orders.map(({ checkoutId }) => checkoutId),
    ),
    listLineRefunds(
      db,
      orders.map(({ id }) => id),
    ),
  )
  return ({ checkoutId }) => ({ refundedCents: cents.get(checkoutId) ?? 0, lineRefunds })
}
