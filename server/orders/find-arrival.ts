import { countryOf } from '#domain/dispensing/destination.ts'
import { estimateArrival, type OrderContent, type OrderLine } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'
import { areDomesticDeliveries } from '../partners/is-domestic-delivery.ts'
import type { CustomerOrder } from './find-order.ts'

type OpenOrder = {
  row: Pick<CustomerOrder, 'estimatedDelivery'>
  /** Those that are left to ship. */
  lines: readonly Pick<OrderLine, 'product'>[]
  shipTo: OrderContent['shipTo']
}

/**
 * The day by which an open order is expected to arrive, `YYYY-MM-DD`: its estimated delivery, or
 * later when it would be late if it shipped today.
 */
export async function findArrival(
  ctx: Pick<Context, 'db' | 'now'>,
  row: OpenOrder['row'],
  order: Omit<OpenOrder, 'row'>,
): Promise<string> {
  const [arrivesBy = ''] = await listArrivals(ctx, [{ row, ...order }])
  return arrivesBy
}

/** The same for several orders, in their order. */
export async function listArrivals(
  { db, now }: Pick<Context, 'db' | 'now'>,
  orders: readonly OpenOrder[],
): Promise<string[]> {
  const domestic = await areDomesticDeliveries(
    { db },
    orders.map(({ lines, shipTo }) => ({
      productIds: lines.map(({ product }) => product.id),
      country: countryOf(shipTo),
    })),
  )
  return orders.map(({ row: { estimatedDelivery } }, at) => {
    const ifShippedToday = estimateArrival(now, { isDomestic: domestic[at] ?? false })
    return estimatedDelivery !== null && estimatedDelivery > ifShippedToday
      ? estimatedDelivery
      : ifShippedToday
  })
}
