import { listFillsOfOrders } from '#db/dispensing/fills.ts'
import { listLineReviews } from '#db/dispensing/line-reviews.ts'
import { isUndecided } from '#domain/dispensing/dispensing.ts'
import { describeOrderLine, type OrderLineState } from '#domain/dispensing/order-line-state.ts'
import type { Context } from '../context.ts'
import { getSettings } from '../settings/get-settings.ts'

/** An order as far as its lines' states need it. */
type OrderToDescribe = {
  id: string
  createdAt: Date
  /** Those that were not refused. */
  items: readonly { id: string; product: { category: string } }[]
  /** When undecided lines are removed; null when the payment was charged. */
  decideBy: Date | null
  isCharged: boolean
  /** Whether it has shipped or was cancelled: then only what was dispensed is left to say. */
  isClosed: boolean
}

/**
 * The state of each prescription line of an order that was not refused, by line, for its customer's
 * page. The caller checks access and writes the audit row.
 */
export async function listLineStates(
  ctx: Pick<Context, 'db' | 'now' | 'shop'>,
  { id, createdAt, items, decideBy, isCharged, isClosed }: OrderToDescribe,
): Promise<Map<string, OrderLineState>> {
  const lines = items.filter(({ product }) => product.category === 'Rx')
  if (lines.length === 0) return new Map()
  const reviews = new Map((await listLineReviews(ctx.db, [id])).map((review) => [review.lineId, review]))
  const dispensed = new Map(
    (await listFillsOfOrders(ctx.db, [id])).map(({ lineId, dispensedAt }) => [lineId, dispensedAt]),
  )
  const { twoPharmacists } = await getSettings(ctx)
  const waits = (lineId: string): boolean => isUndecided(reviews.get(lineId)?.status ?? 'waiting')
  return new Map(
    lines.flatMap(({ id: lineId }) => {
      const review = reviews.get(lineId) ?? null
      const dispensedAt = dispensed.get(lineId) ?? null
      if (isClosed && dispensedAt === null) return []
      const state = describeOrderLine(review && { ...review, dispensedAt }, {
        now: ctx.now,
        orderedAt: createdAt,
        decideBy,
        isCharged,
        othersWait: lines.some((other) => other.id !== lineId && waits(other.id)),
        needsSecondCheck: twoPharmacists && review?.checkedBy === null,
      })
      return [[lineId, state]]
    }),
  )
}
