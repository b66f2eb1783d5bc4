import { listMatchingIds, listToWeigh } from '#db/orders/admin-orders.ts'
import { together } from '#db/engine/sql.ts'
import { AppError } from '#domain/errors.ts'
import { decimalFromCents } from '#domain/money.ts'
import {
  bulkBounds,
  type OrderTarget,
  type StatusResult,
  type StatusWeight,
} from '#domain/orders/admin-orders.ts'
import { cancellationOf } from '#domain/orders/cancellation.ts'
import { statusMove, type OrderStatus } from '#domain/orders/order-status.ts'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { tokensOfSearch } from '../accounts/find-customers.ts'
import { requireAdmin } from '../require-user.ts'
import { recordReads } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { tellFailure } from '../grids/to-row-error.ts'
import { restockLines, type ReturnedLine } from '../inventory/restock-lines.ts'
import { readEarlierRefunds } from './earlier-refunds.ts'
import { openContent } from './sealed-order.ts'
import { setOrderStatus } from './set-order-status.ts'

/** So few that others are answered in between: opening thousands takes a while. */
const weighedAtOnce = 500
/** So many transactions at a time, and so many orders in each. */
const atOnce = 4
const inOneTransaction = 20

/**
 * What setting a status of many orders comes to, and which they are: a cancellation is asked about before it is done. Each whose order is opened
 * for that can read that somebody looked. Throws UNAUTHENTICATED, FORBIDDEN, and INVALID when a search names too many.
 */
export async function weighStatus(
  ctx: Context,
  { target, status }: { target: OrderTarget; status: OrderStatus },
): Promise<StatusWeight> {
  requireAdmin(ctx)
  const ids = await idsOf(ctx, target)
  const weight = { calledOff: 0, refundCents: 0, restocked: 0 }
  const told = new Set<string>()
  const weighed = status === 'cancelled' ? ids : []
  for (let at = 0; at < weighed.length; at += weighedAtOnce) {
    const some = await weighCancelling(ctx, weighed.slice(at, at + weighedAtOnce), told)
    weight.calledOff += some.calledOff
    weight.refundCents += some.refundCents
    weight.restocked += some.restocked
    await othersTurn()
  }
  const { refundCents, ...counts } = weight
  return { ids, ...counts, refund: decimalFromCents(refundCents) }
}

/** @param told who can read already that somebody looked */
async function weighCancelling(ctx: Context, ids: readonly string[], told: Set<string>) {
  const rows = (await listToWeigh(ctx.db, ids)).filter(
    (row) =>
      statusMove({ status: row.status, isCalledOff: row.restockedAt !== null }, 'cancelled') === 'call off',
  )
  const subjectIds = new Set(
    rows.flatMap(({ userId }) => (userId === null || told.has(userId) ? [] : [userId])),
  )
  await recordReads(ctx, { action: 'orders.read', subjectIds: [...subjectIds] })
  for (const id of subjectIds) told.add(id)
  const earlier = await readEarlierRefunds(ctx.db, rows)
  let [refundCents, restocked] = [0, 0]
  for (const row of rows) {
    const { lines } = openContent(ctx.keys, row)
    const cancellation = cancellationOf({ totalCents: row.totalCents, lines }, earlier(row))
    refundCents += cancellation.refundCents
    restocked += cancellation.restockedUnits
  }
  return { calledOff: rows.length, refundCents, restocked }
}

async function idsOf(ctx: Context, target: OrderTarget): Promise<string[]> {
  if ('ids' in target) return target.ids
  const { status, q } = target.query
  const sought = { status, q, tokens: await tokensOfSearch(ctx, q, 'of all time') }
  const ids = await listMatchingIds(ctx.db, sought, bulkBounds.search + 1)
  if (ids.length <= bulkBounds.search) return ids
  throw new AppError('INVALID', `These are more than ${bulkBounds.search} orders. Please narrow the search.`)
}

/**
 * Sets the status of many orders, each as if by itself (`setOrderStatus`), and says what became of each, in the order in which they were
 * named. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function setStatuses(
  ctx: Context,
  { ids, status }: { ids: readonly string[]; status: OrderStatus },
): Promise<StatusResult[]> {
  requireAdmin(ctx)
  const waiting = [...new Set(ids)]
  const results = new Map<string, StatusResult>()
  const work = async (): Promise<void> => {
    for (;;) {
      const group = waiting.splice(0, inOneTransaction)
      if (group.length === 0) return
      const areDone = group.length > 1 && (await succeeds(setAtOnce(ctx, group, status)))
      for (const id of group) {
        const error = areDone ? null : await tellFailure(ctx, setOrderStatus(ctx, id, { status }))
        results.set(id, { id, error })
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return ids.flatMap((id) => results.get(id) ?? [])
}

/** Sets all of them or none: on Postgres their statements share round trips, on both a commit. Throws what one of them throws. */
const setAtOnce = (ctx: Context, ids: readonly string[], status: OrderStatus): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const back: ReturnedLine[] = []
    const restock = (_: Context, lines: readonly ReturnedLine[]): void => void back.push(...lines)
    await together(...ids.map((id) => setOrderStatus(ctx, id, { status }, { restock })))
    if (back.length > 0) await restockLines(ctx, back)
  })

/** False when it fails: each of them is told why when it is tried by itself. */
const succeeds = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )
