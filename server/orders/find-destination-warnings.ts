import { listLineReviews, type LineReviewRow } from '#db/dispensing/line-reviews.ts'
import { describeUnserved } from '#domain/checkout/delivery.ts'
import { checkDestination, countryOf } from '#domain/dispensing/destination.ts'
import type { LineRefunds } from '#domain/orders/line-refunds.ts'
import { canCancel } from '#domain/orders/order-status.ts'
import { linesLeftToShip, type OrderContent } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'
import { UnsealError } from '../crypto/sealing.ts'
import { readDecision } from '../dispensing/item-reader.ts'
import { findSources } from '../partners/find-sources.ts'
import type { CustomerOrder } from './find-order.ts'

/**
 * Warnings by order id: the open orders with lines that no pharmacy ships to their country.
 * Checkout takes orders to any country, with this warning. Staff see it before they ship. Lines
 * that a pharmacist cleared with a decision on the destination do not count.
 * @param refunds of all lines of these orders
 */
export async function findDestinationWarnings(
  ctx: Pick<Context, 'db' | 'keys' | 'log'>,
  orders: readonly { row: CustomerOrder; content: OrderContent }[],
  refunds: ReadonlyMap<string, LineRefunds>,
): Promise<Map<string, string>> {
  const open = orders
    .filter(({ row }) => canCancel(row.status))
    .map(({ row: { id, hasRx }, content }) => ({
      id,
      hasRx,
      country: countryOf(content.shipTo),
      lines: linesLeftToShip(content, refunds),
    }))
  if (open.length === 0) return new Map()
  const productIds = open.flatMap(({ lines }) => lines.map(({ product }) => product.id))
  const { active, sources } = await findSources(ctx, productIds)
  const pharmacyOf = new Map(productIds.map((id, at) => [id, sources[at] ?? null]))
  const check = ({ country, lines }: Pick<(typeof open)[number], 'country' | 'lines'>) =>
    checkDestination(
      country,
      lines.map(({ product }) => pharmacyOf.get(product.id) ?? null),
      active,
    )
  const unserved = open.filter((order) => !check(order).isServed)
  const withRx = unserved.flatMap(({ id, hasRx }) => (hasRx ? [id] : []))
  const decided = withRx.length > 0 ? await listDecidedLines(ctx, withRx) : new Set<string>()
  return new Map(
    unserved.flatMap(({ id, country, lines }): [string, string][] => {
      const undecided = lines.filter((line) => !decided.has(line.id))
      const { isServed, pharmacies } = check({ country, lines: undecided })
      return isServed ? [] : [[id, describeUnserved({ country, pharmacies })]]
    }),
  )
}

async function listDecidedLines(
  ctx: Pick<Context, 'db' | 'keys' | 'log'>,
  orderIds: readonly string[],
): Promise<Set<string>> {
  const cleared = (await listLineReviews(ctx.db, orderIds)).filter(({ status }) => status === 'cleared')
  return new Set(cleared.filter((review) => isDecided(ctx, review)).map(({ lineId }) => lineId))
}

function isDecided(ctx: Pick<Context, 'keys' | 'log'>, review: LineReviewRow): boolean {
  try {
    return readDecision(ctx.keys, review).notes.some(({ kind }) => kind === 'destination')
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error
    // A damaged row must not hide the order or keep it here. The warning stays.
    const { orderId, lineId } = review
    ctx.log.error({ err: error, orderId, lineId }, 'decision about a line could not be read')
    return false
  }
}
