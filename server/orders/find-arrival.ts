import { countryOf } from '#domain/dispensing/destination.ts'
import { estimateArrival, type OrderContent, type OrderLine } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'
import { isDomesticDelivery } from '../partners/is-domestic-delivery.ts'
import type { CustomerOrder } from './find-order.ts'

/**
 * The day by which an open order is expected to arrive, `YYYY-MM-DD`: its estimated delivery, or
 * later when it would be late if it shipped today.
 * @param of.lines those that are left to ship
 */
export async function findArrival(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { estimatedDelivery }: Pick<CustomerOrder, 'estimatedDelivery'>,
  { lines, shipTo }: { lines: readonly Pick<OrderLine, 'product'>[]; shipTo: OrderContent['shipTo'] },
): Promise<string> {
  const productIds = lines.map(({ product }) => product.id)
  const isDomestic = await isDomesticDelivery({ db }, { productIds, country: countryOf(shipTo) })
  const ifShippedToday = estimateArrival(now, { isDomestic })
  return estimatedDelivery !== null && estimatedDelivery > ifShippedToday ? estimatedDelivery : ifShippedToday
}
