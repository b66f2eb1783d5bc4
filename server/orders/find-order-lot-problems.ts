import type { OrderContent } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'
import { findLotProblems, type LineWithLots, type LotProblem } from '../inventory/find-lot-problems.ts'
import { findArrival } from './find-arrival.ts'
import type { CustomerOrder } from './find-order.ts'
import { visibleProblem } from './visible-lines.ts'

type LineToShip = LineWithLots & { product: { category: string } }

/**
 * What staff must know about the lots of an order's lines before it ships, also that a lot expires
 * on the way, as the signed-in user may read it. Orders without lots read nothing.
 * @param lines from `linesToShip`
 */
export async function findOrderLotProblems(
  ctx: Pick<Context, 'db' | 'now' | 'user'>,
  row: CustomerOrder,
  { lines, content }: { lines: readonly LineToShip[]; content: OrderContent },
): Promise<LotProblem[]> {
  if (lines.every(({ lots = [] }) => lots.length === 0)) return []
  const left = new Set(lines.map(({ id }) => id))
  const leftLines = content.lines.filter(({ id }) => left.has(id))
  const arrivesBy = await findArrival(ctx, row, { lines: leftLines, shipTo: content.shipTo })
  const problems = await findLotProblems(ctx, lines, arrivesBy)
  const rxLines = new Set(lines.flatMap(({ id, product }) => (product.category === 'Rx' ? [id] : [])))
  return problems.map((problem) => {
    const { lineId, message, isBlocking } = problem
    const kind = isBlocking ? 'lot' : 'lot-warning'
    return rxLines.has(lineId)
      ? { ...problem, message: visibleProblem(ctx, row, { kind, message }) }
      : problem
  })
}
