import { listMatchingOrderIds, listOrdersToPreview } from '#db/orders/admin-orders.ts'
import { findOrder as findRow, lockOrdersAndCustomers } from '#db/orders/orders.ts'
import { pipeline } from '#db/engine/sql.ts'
import { AppError } from '#domain/errors.ts'
import { decimalFromCents } from '#domain/money.ts'
import {
  bulkBounds,
  type OrderTarget,
  type RefusedChange,
  type StatusResult,
  type StatusChangePreview,
} from '#domain/orders/admin-orders.ts'
import { computeCancellation } from '#domain/orders/cancellation.ts'
import { canCancel, needsClearance, type OrderStatus } from '#domain/orders/order-status.ts'
import {
  computeStatusChange,
  statusPermission,
  undoWindowMs,
  type UndoableChange,
} from '#domain/orders/status-change.ts'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { searchTokens } from '../accounts/find-customers.ts'
import { requirePermission } from '../require-user.ts'
import { inTransaction, type Context } from '../context.ts'
import { toAppError } from '../errors.ts'
import { toRowError } from '../grids/to-row-error.ts'
import { restockLines, type ReturnedLine } from '../inventory/restock-lines.ts'
import type { ChangeOptions } from './apply-order-change.ts'
import { checkStatusChange, NewAlertsError } from './check-status-change.ts'
import { getEarlierRefunds } from './earlier-refunds.ts'
import type { CustomerOrder } from './find-order.ts'
import { listShippingWarnings } from './list-shipping-warnings.ts'
import { orderReadRecorder } from './record-order-reads.ts'
import { openContent } from './sealed-order.ts'
import { changeOrder } from './set-order-status.ts'

/** Decrypting thousands of orders takes a while; other requests run between batches. */
const previewBatchSize = 500
/** Up to this many orders, the preview finds those that will be refused and checks destinations. */
export const maxChecked = 25
/** Transactions at a time, and orders in each. */
const concurrency = 4
const groupSize = 20

/**
 * What a status change of many orders will do, except for what `server/reviews` knows of their
 * labels. Records the read of each order that it decrypts. Throws UNAUTHENTICATED, FORBIDDEN, and
 * INVALID when a search selects too many orders.
 */
export async function previewOrderChange(
  ctx: Context,
  { target, status }: { target: OrderTarget; status: OrderStatus },
): Promise<StatusChangePreview> {
  requirePermission(ctx, statusPermission(status))
  const ids = await resolveTarget(ctx, target)
  const totals = {
    changed: 0,
    emailed: 0,
    undoable: 0,
    cancelled: 0,
    refundCents: 0,
    voided: 0,
    restocked: 0,
    toShip: 0,
  }
  const recordReadsOf = orderReadRecorder(ctx)
  const isChecked = ids.length <= maxChecked
  const { refused, warnings } = isChecked
    ? await checkOrders(ctx, ids, status, recordReadsOf)
    : { refused: [], warnings: [] }
  const refusedIds = new Set(refused.map(({ id }) => id))
  const allowed = ids.filter((id) => !refusedIds.has(id))
  for (let at = 0; at < allowed.length; at += previewBatchSize) {
    const batch = await previewBatch(ctx, allowed.slice(at, at + previewBatchSize), status, recordReadsOf)
    for (const name of typedKeys(totals)) totals[name] += batch[name]
    await yieldToEventLoop()
  }
  const { refundCents, toShip, ...counts } = totals
  if (!isChecked && toShip > 0) warnings.push(uncheckedWarning)
  return { ids, ...counts, refused, warnings, refund: decimalFromCents(refundCents) }
}

const uncheckedWarning = `We didn’t check these orders’ destinations and lots. We check up to ${maxChecked} at a time.`

/** What of these orders the change will refuse, and what to know about the others before it. */
async function checkOrders(
  ctx: Context,
  ids: readonly string[],
  status: OrderStatus,
  recordReadsOf: ReturnType<typeof orderReadRecorder>,
): Promise<{ refused: RefusedChange[]; warnings: string[] }> {
  const refused: RefusedChange[] = []
  const allowed: CustomerOrder[] = []
  for (const id of ids) {
    const row = await findRow(ctx.db, id)
    if (!row || row.userId === null) continue
    await recordReadsOf([row])
    const order = { ...row, userId: row.userId }
    const refusal = await findRefusal(ctx, order, status)
    if (refusal) refused.push(refusal)
    else allowed.push(order)
  }
  return { refused, warnings: needsClearance(status) ? await listShippingWarnings(ctx, allowed) : [] }
}

/** Why an order can't get the status now, as the change itself would find. Null when it can. */
async function findRefusal(
  ctx: Context,
  row: CustomerOrder,
  status: OrderStatus,
): Promise<RefusedChange | null> {
  try {
    await checkStatusChange(ctx, row, status)
    return null
  } catch (error) {
    const { code, message } = toAppError(error)
    if (code === 'INTERNAL') throw error
    // A code is asked for when the change is made.
    if (code === 'CODE_REQUIRED') return null
    return { id: row.id, message, isNewAlert: error instanceof NewAlertsError }
  }
}

const typedKeys = <Key extends string>(totals: Record<Key, number>): Key[] => Object.keys(totals) as Key[]

async function previewBatch(
  ctx: Context,
  ids: readonly string[],
  status: OrderStatus,
  recordReadsOf: ReturnType<typeof orderReadRecorder>,
) {
  const rows = (await listOrdersToPreview(ctx.db, ids)).map((row) => ({
    ...row,
    change: computeStatusChange(
      { status: row.status, isCancelledBeforeShipment: row.restockedAt !== null },
      status,
    ),
  }))
  const count = (has: (change: ReturnType<typeof computeStatusChange>) => boolean): number =>
    rows.filter(({ change }) => has(change)).length
  return {
    changed: count(({ transition }) => transition === 'update' || transition === 'cancel'),
    emailed: count(({ emails }) => emails),
    undoable: count(({ canUndo }) => canUndo),
    toShip: needsClearance(status) ? rows.filter((row) => canCancel(row.status)).length : 0,
    ...(await previewCancellations(
      ctx,
      rows.filter(({ change }) => change.transition === 'cancel'),
      recordReadsOf,
    )),
  }
}

async function previewCancellations(
  ctx: Context,
  rows: Awaited<ReturnType<typeof listOrdersToPreview>>,
  recordReadsOf: ReturnType<typeof orderReadRecorder>,
) {
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
 * @param batchTotal how many orders the whole change has, of which this call is a part: the emails
 *   wait until it is done and can be undone
 */
export async function setOrderStatuses(
  ctx: Context,
  {
    ids,
    status,
    batchTotal = ids.length,
  }: { ids: readonly string[]; status: OrderStatus; batchTotal?: number | undefined },
): Promise<StatusResult[]> {
  requirePermission(ctx, statusPermission(status))
  const windowMs = undoWindowMs(Math.max(batchTotal, ids.length))
  const pending = [...new Set(ids)]
  const results = new Map<string, StatusResult>()
  const work = async (): Promise<void> => {
    for (;;) {
      const group = pending.splice(0, groupSize)
      if (group.length === 0) return
      const allSet =
        group.length > 1 ? await setGroup(ctx, group, { status, windowMs }).catch(() => null) : null
      for (const id of group) {
        let made = allSet?.get(id)
        const set = async (): Promise<void> => {
          made = await setOne(ctx, id, { status, windowMs })
        }
        const error = made ? null : await toRowError(ctx, set())
        results.set(id, { id, error, changeId: made?.changeId ?? null, isChanged: made?.isChanged ?? false })
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return ids.flatMap((id) => results.get(id) ?? [])
}

type ChangeResult = Pick<StatusResult, 'changeId' | 'isChanged'>

async function setOne(
  ctx: Context,
  id: string,
  {
    status,
    windowMs,
    restock,
  }: { status: OrderStatus; windowMs: number; restock?: ChangeOptions['restock'] },
): Promise<ChangeResult> {
  let changeId: string | null = null
  const collect = (change: UndoableChange): void => {
    changeId = change.changeId
  }
  const { isChanged } = await changeOrder(ctx, id, { status }, { restock, undo: { windowMs, collect } })
  return { changeId, isChanged }
}

/**
 * Sets all orders of a group or none. They share one commit, and on Postgres their statements share
 * round trips. Returns the result for each order. Throws the first error: each order is then set
 * separately and reports its own.
 */
const setGroup = (
  ctx: Context,
  ids: readonly string[],
  { status, windowMs }: { status: OrderStatus; windowMs: number },
): Promise<Map<string, ChangeResult>> =>
  inTransaction(ctx, async (ctx) => {
    await lockOrdersAndCustomers(ctx.db, ids)
    const returned: ReturnedLine[] = []
    const restock = (_: Context, lines: readonly ReturnedLine[]): void => void returned.push(...lines)
    const made = await pipeline(...ids.map((id) => setOne(ctx, id, { status, windowMs, restock })))
    if (returned.length > 0) await restockLines(ctx, returned)
    return new Map(ids.flatMap((id, at) => (made[at] ? [[id, made[at]]] : [])))
  })
