import { listMatchingOrderIds, listOrdersToPreview } from '#db/orders/admin-orders.ts'
import { together } from '#db/engine/sql.ts'
import { AppError } from '#domain/errors.ts'
import { decimalFromCents } from '#domain/money.ts'
import {
  bulkBounds,
  type OrderTarget,
  type StatusResult,
  type StatusChangePreview,
} from '#domain/orders/admin-orders.ts'
import { cancellationOf } from '#domain/orders/cancellation.ts'
import { statusTransition, type OrderStatus } from '#domain/orders/order-status.ts'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { tokensOfSearch } from '../accounts/find-customers.ts'
import { requireAdmin } from '../require-user.ts'
import { recordReads } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { toRowError } from '../grids/to-row-error.ts'
import { restockLines, type ReturnedLine } from '../inventory/restock-lines.ts'
import { getEarlierRefunds } from './earlier-refunds.ts'
import { openContent } from './sealed-order.ts'
import { setOrderStatus } from './set-order-status.ts'

/** So few that others are answered in between: opening thousands takes a while. */
const previewBatchSize = 500
/** So many transactions at a time, and so many orders in each. */
const concurrency = 4
const groupSize = 20

/**
 * What setting a status of many orders comes to, and which they are: a cancellation is asked about before it is done. Each whose order is opened
 * for that can read that somebody looked. Throws UNAUTHENTICATED, FORBIDDEN, and INVALID when a search names too many.
 */
export async function previewStatusChange(
  ctx: Context,
  { target, status }: { target: OrderTarget; status: OrderStatus },
): Promise<StatusChangePreview> {
  requireAdmin(ctx)
  const ids = await resolveTarget(ctx, target)
  const totals = { cancelled: 0, refundCents: 0, restocked: 0 }
  const recordedIds = new Set<string>()
  const toPreview = status === 'cancelled' ? ids : []
  for (let at = 0; at < toPreview.length; at += previewBatchSize) {
    const batch = await previewCancellations(ctx, toPreview.slice(at, at + previewBatchSize), recordedIds)
    totals.cancelled += batch.cancelled
    totals.refundCents += batch.refundCents
    totals.restocked += batch.restocked
    await othersTurn()
  }
  const { refundCents, ...counts } = totals
  return { ids, ...counts, refund: decimalFromCents(refundCents) }
}

/** @param recordedIds who can read already that somebody looked */
async function previewCancellations(ctx: Context, ids: readonly string[], recordedIds: Set<string>) {
  const rows = (await listOrdersToPreview(ctx.db, ids)).filter(
    (row) =>
      statusTransition({ status: row.status, isCancelledBeforeShipment: row.restockedAt !== null }, 'cancelled') === 'call off',
  )
  const subjectIds = new Set(
    rows.flatMap(({ userId }) => (userId === null || recordedIds.has(userId) ? [] : [userId])),
  )
  await recordReads(ctx, { action: 'orders.read', subjectIds: [...subjectIds] })
  for (const id of subjectIds) recordedIds.add(id)
  const earlier = await getEarlierRefunds(ctx.db, rows)
  let [refundCents, restocked] = [0, 0]
  for (const row of rows) {
    const { lines } = openContent(ctx.keys, row)
    const cancellation = cancellationOf({ totalCents: row.totalCents, lines }, earlier(row))
    refundCents += cancellation.refundCents
    restocked += cancellation.restockedUnits
  }
  return { cancelled: rows.length, refundCents, restocked }
}

async function resolveTarget(ctx: Context, target: OrderTarget): Promise<string[]> {
  if ('ids' in target) return target.ids
  const { status, q } = target.query
  const filter = { status, q, tokens: await tokensOfSearch(ctx, q, 'of all time') }
  const ids = await listMatchingOrderIds(ctx.db, filter, bulkBounds.search + 1)
  if (ids.length <= bulkBounds.search) return ids
  throw new AppError('INVALID', `These are more than ${bulkBounds.search} orders. Please narrow the search.`)
}

/**
 * Sets the status of many orders, each as if by itself (`setOrderStatus`), and says what became of each, in the order in which they were
 * named. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function setOrderStatuses(
  ctx: Context,
  { ids, status }: { ids: readonly string[]; status: OrderStatus },
): Promise<StatusResult[]> {
  requireAdmin(ctx)
  const pending = [...new Set(ids)]
  const results = new Map<string, StatusResult>()
  const work = async (): Promise<void> => {
    for (;;) {
      const group = pending.splice(0, groupSize)
      if (group.length === 0) return
      const allSet = group.length > 1 && (await succeeds(setGroup(ctx, group, status)))
      for (const id of group) {
        const error = allSet ? null : await toRowError(ctx, setOrderStatus(ctx, id, { status }))
        results.set(id, { id, error })
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return ids.flatMap((id) => results.get(id) ?? [])
}

/** Sets all of them or none: on Postgres their statements share round trips, on both a commit. Throws what one of them throws. */
const setGroup = (ctx: Context, ids: readonly string[], status: OrderStatus): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const returned: ReturnedLine[] = []
    const restock = (_: Context, lines: readonly ReturnedLine[]): void => void returned.push(...lines)
    await together(...ids.map((id) => setOrderStatus(ctx, id, { status }, { restock })))
    if (returned.length > 0) await restockLines(ctx, returned)
  })

/** False when it fails: each of them is told why when it is tried by itself. */
const succeeds = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )
