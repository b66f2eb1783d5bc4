import { listLineReviews, type LineReviewRow } from '#db/dispensing/line-reviews.ts'
import { isUndecided } from '#domain/dispensing/dispensing.ts'
import { remainingLines, type OrderLine } from '#domain/orders/orders.ts'
import type { OrderRow } from '#db/orders/orders.ts'
import type { Context } from '../context.ts'
import { openContent } from './sealed-order.ts'

/** A prescription line that no pharmacist has cleared or refused, with its review if it has one. */
export type UndecidedLine = { line: OrderLine; review: LineReviewRow | null }

/** The prescription lines of an order that still wait for a pharmacist. */
export async function listUndecidedLines(
  ctx: Pick<Context, 'db' | 'keys'>,
  row: Pick<OrderRow, 'id' | 'sealedOrder'>,
): Promise<UndecidedLine[]> {
  const reviews = new Map((await listLineReviews(ctx.db, [row.id])).map((review) => [review.lineId, review]))
  return remainingLines(openContent(ctx.keys, row)).flatMap((line) => {
    if (line.product.category !== 'Rx') return []
    const review = reviews.get(line.id) ?? null
    return review && !isUndecided(review.status) ? [] : [{ line, review }]
  })
}
