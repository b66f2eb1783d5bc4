import { listLineReviews } from '#db/dispensing/line-reviews.ts'
import { describeUnserved } from '#domain/checkout/delivery.ts'
import { checkDestination, countryOf } from '#domain/dispensing/destination.ts'
import type { LineRefunds } from '#domain/orders/line-refunds.ts'
import { canCancel } from '#domain/orders/order-status.ts'
import { linesLeftToShip, type OrderContent } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'
import { readDecision } from '../dispensing/item-reader.ts'
import { findSources } from '../partners/find-sources.ts'
import type { CustomerOrder } from './find-order.ts'

/**
 * That an open order has lines that no pharmacy ships to its country; null when it has none.
 * Checkout takes orders to any country, with this warning. Staff see it before they ship. Lines
 * that a pharmacist cleared with a decision on the destination are left out.
 */
export async function findDestinationWarning(
  ctx: Pick<Context, 'db' | 'keys'>,
  row: CustomerOrder,
  content: OrderContent,
  refunds: ReadonlyMap<string, LineRefunds>,
): Promise<string | null> {
  if (!canCancel(row.status)) return null
  const decided = row.hasRx ? await listDecidedLines(ctx, row.id) : []
  const lines = linesLeftToShip(content, refunds).filter(({ id }) => !decided.includes(id))
  const productIds = lines.map(({ product }) => product.id)
  const country = countryOf(content.shipTo)
  const { active, sources } = await findSources(ctx, productIds)
  const { isServed, pharmacies } = checkDestination(country, sources, active)
  return isServed ? null : describeUnserved({ country, pharmacies })
}

async function listDecidedLines(
  { db, keys }: Pick<Context, 'db' | 'keys'>,
  orderId: string,
): Promise<string[]> {
  const cleared = (await listLineReviews(db, [orderId])).filter(({ status }) => status === 'cleared')
  return cleared
    .filter((review) => readDecision(keys, review).notes.some(({ kind }) => kind === 'destination'))
    .map(({ lineId }) => lineId)
}
