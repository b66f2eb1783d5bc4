import { listMatchingOrderIds, listOrdersToPreview } from '#db/orders/admin-orders.ts'
import { pipeline } from '#db/engine/sql.ts'
import { AppError } from '#domain/errors.ts'
import { decimalFromCents } from '#domain/money.ts'
import {
  bulkBounds,
  type OrderTarget,
  type StatusResult,
  type StatusChangePreview,
} from '#domain/orders/admin-orders.ts'
import { computeCancellation } from '#domain/orders/cancellation.ts'
import { statusTransition, type OrderStatus } from '#domain/orders/order-status.ts'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { searchTokens } from '../accounts/find-customers.ts'
import { requirePermission } from '../require-user.ts'
import { inTransaction, type Context } from '../context.ts'
import { toRowError } from '../grids/to-row-error.ts'
import { restockLines, type ReturnedLine } from '../inventory/restock-lines.ts'
import { getEarlierRefunds } from './earlier-refunds.ts'
import { orderReadRecorder } from './record-order-reads.ts'
import { openContent } from './sealed-order.ts'
import { setOrderStatus } from './set-order-status.ts'

/** Decrypting thousands of orders takes a while; other requests run between batches. */
const previewBatchSize = 500
/** Transactions at a time, and orders in each. */
const concurrency = 4
const groupSize = 20

/**
 * What a status change of many orders will do, for the admin to confirm. Records the read of each
 * order that it decrypts. Throws UNAUTHENTICATED, FORBIDDEN, and INVALID when a search selects too
 * many orders.
 */
export async function previewStatusChange(
  ctx: Context,
  { target, status }: { target: OrderTarget; status: OrderStatus },
): Promise<StatusChangePreview> {
  requirePermission(ctx, status === 'cancelled' ? 'refunds.create' : 'orders.ship')
  const ids = await resolveTarget(ctx, target)
  const totals = { cancelled: 0, refundCents: 0, voided: 0, restocked: 0 }
  const recordReadsOf = orderReadRecorder(ctx)
  const toPreview = status === 'cancelled' ? ids : []
  for (let at = 0; at < toPreview.length; at += previewBatchSize) {
    const batch = await previewCancellations(ctx, toPreview.slice(at, at + previewBatchSize), recordReadsOf)
    totals.cancelled += batch.cancelled
    totals.refundCents += batch.refundCents
    totals.voided += batch.voided
    totals.restocked += batch.restocked
    await yieldToEventLoop()
  }
  const { refundCents, ...counts } = totals
  return { ids, ...counts, refund: decimalFromCents(refundCents) }
}

async function previewCancellations(
  ctx: Context,
  ids: readonly string[],
  recordReadsOf: ReturnType<typeof orderReadRecorder>,
) {
  const rows = (await listOrdersToPreview(ctx.db, ids)).filter(({ status, restockedAt }) => {
    const isCancelledBeforeShipment = restockedAt !== null
    return statusTransition({ status, isCancelledBeforeShipment }, 'cancelled') === 'cancel'
  })
  await recordReadsOf(rows)
  const earlier = await getEarlierRefunds(ctx.db, rows)
  let [refundCents, voided, restocked] = [0, 0, 0]
  for (const row of rows) {
    const { lines } = openContent(ctx.keys, row)
    const cancellation = computeCancellation({ ...row, lines }, earlier(row))
    refundCents += cancellation.refundCents
    voided += row.capturedCents === 0 ? 1 : 0
    restocked += cancellation.restockedUnits
  }
  return { cancelled: rows.length, refundCents, voided, restocked }
}

async function resolveTarget(ctx: Context, target: OrderTarget): Promise<string[]> {
  if ('ids' in target) return target.ids
  const { status, q } = target.query
  const filter = { status, q, tokens: await searchTokens(ctx, q, 'current-and-former') }
  const ids = await listMatchingOrderIds(ctx.db, filter, bulkBounds.search + 1)
  if (ids.length <= bulkBounds.search) return ids
  throw new AppError('INVALID', `This matches more than ${bulkBounds.search} orders. Narrow your search.`)
}

/**
 * Sets the status of many orders, each like `setOrderStatus`. Returns a result per id in the given
 * order. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function setOrderStatuses(
  ctx: Context,
  { ids, status }: { ids: readonly string[]; status: OrderStatus },
): Promise<StatusResult[]> {
  requirePermission(ctx, status === 'cancelled' ? 'refunds.create' : 'orders.ship')
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

/**
 * Sets all orders of a group or none. They share one commit, and on Postgres their statements share
 * round trips. Throws the first error.
 */
const setGroup = (ctx: Context, ids: readonly string[], status: OrderStatus): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const returned: ReturnedLine[] = []
    const restock = (_: Context, lines: readonly ReturnedLine[]): void => void returned.push(...lines)
    await pipeline(...ids.map((id) => setOrderStatus(ctx, id, { status }, { restock })))
    if (returned.length > 0) await restockLines(ctx, returned)
  })

/** False when the group fails: each order is then set separately and reports its own error. */
const succeeds = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )
