import type { OrderContent } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'
import { listLotProblems, type LineWithLots, type LotProblem } from '../inventory/find-lot-problems.ts'
import { listArrivals } from './find-arrival.ts'
import type { CustomerOrder } from './find-order.ts'
import { visibleProblems } from './visible-lines.ts'

type LineToShip = LineWithLots & { product: { category: string } }

type OrderToShip = { row: CustomerOrder; lines: readonly LineToShip[]; content: OrderContent }

/**
 * What staff must know about the lots of an order's lines before it ships, also that a lot expires
 * on the way, as the signed-in user may read it. Orders without lots read nothing.
 * @param lines from `linesToShip`
 */
export async function findOrderLotProblems(
  ctx: Pick<Context, 'db' | 'now' | 'user'>,
  row: CustomerOrder,
  order: Omit<OrderToShip, 'row'>,
): Promise<LotProblem[]> {
  const [found] = await listOrderLotProblems(ctx, [{ row, ...order }])
  return found?.problems ?? []
}

/** The same for several orders, by reads for all of them. Orders without lots have no entry. */
export async function listOrderLotProblems(
  ctx: Pick<Context, 'db' | 'now' | 'user'>,
  orders: readonly OrderToShip[],
): Promise<{ row: CustomerOrder; problems: LotProblem[] }[]> {
  const withLots = orders.filter(({ lines }) => lines.some(({ lots = [] }) => lots.length > 0))
  if (withLots.length === 0) return []
  const arrivals = await listArrivals(
    ctx,
    withLots.map(({ row, lines, content }) => {
      const left = new Set(lines.map(({ id }) => id))
      return { row, lines: content.lines.filter(({ id }) => left.has(id)), shipTo: content.shipTo }
    }),
  )
  const found = await listLotProblems(
    ctx,
    withLots.map(({ lines }, at) => ({ lines, arrivesBy: arrivals[at] ?? null })),
  )
  return withLots.map((order, at) => ({
    row: order.row,
    problems: visibleProblems(ctx, order.row, order.lines, (found[at] ?? []).map(withKind)),
  }))
}

const withKind = (problem: LotProblem) =>
  ({ ...problem, kind: problem.isBlocking ? 'lot' : 'lot-warning' }) as const
