import type { Db } from '#db/engine/client.ts'
import { listReturns, sumPromised } from '#db/orders/refunds.ts'
import { together } from '#db/engine/sql.ts'
import type { EarlierRefunds } from '#domain/orders/cancellation.ts'

type RefundedOrder = { id: string; checkoutId: string }

/** Reads what earlier refunds of these orders took care of. Returns a lookup by order. */
export async function readEarlierRefunds(
  db: Db,
  orders: readonly RefundedOrder[],
): Promise<(order: RefundedOrder) => EarlierRefunds> {
  const [cents, returns] = await together(
    sumPromised(
      db,
      orders.map(({ checkoutId }) => checkoutId),
    ),
    listReturns(
      db,
      orders.map(({ id }) => id),
    ),
  )
  const units = new Map([...returns].map(([lineId, { named }]) => [lineId, named]))
  return ({ checkoutId }) => ({ refundedCents: cents.get(checkoutId) ?? 0, units })
}
