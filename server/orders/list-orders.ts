import { listOrders as listRows } from '#db/orders/list-orders.ts'
import { countOrders, findOrder as findRow, type OrderRow } from '#db/orders/orders.ts'
import { findSealedEmail } from '#db/accounts/users.ts'
import { can } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { Order } from '#domain/orders/orders.ts'
import { notFoundForUser } from '../note-refusal.ts'
import { requireRecentCode } from '../accounts/recent-code.ts'
import { requirePermission, requireUser } from '../require-user.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { countRefundedUnits, type RefundedUnits } from './count-refunded-units.ts'
import { orderReadRecorder } from './record-order-reads.ts'
import { openOrder } from './sealed-order.ts'

/** Orders on a page of the customer's history. */
const pageSize = 20
/** Orders to read and decrypt at a time when a list has no limit. */
const batchSize = 500

/** The order id to start after, null for the newest, and the maximum; `limit` null lists all. */
type Paging = { after: string | null; limit: number | null }

type OrderPage = { orders: Order[]; page: number; pages: number }

/** The same page of orders as `listOrderPage`, with the units that were refunded. */
export async function listOrderHistory(
  ctx: Context,
  paging: { page: number },
): Promise<OrderPage & { refundedUnits: RefundedUnits }> {
  const history = await listOrderPage(ctx, paging)
  return { ...history, refundedUnits: await countRefundedUnits(ctx, history.orders) }
}

/**
 * A page of the signed-in customer's orders, newest first. A page past the end returns the last
 * page. Throws UNAUTHENTICATED.
 * @param page from 1
 */
export async function listOrderPage(ctx: Context, { page: requested }: { page: number }): Promise<OrderPage> {
  const { id: userId } = requireUser(ctx)
  await recordRead(ctx, { action: 'orders.read', subjectId: userId })
  const pages = Math.max(1, Math.ceil((await countOrders(ctx.db, userId)) / pageSize))
  const page = Math.min(requested, pages)
  const rows = await listRows(ctx.db, {
    userId,
    before: null,
    limit: pageSize,
    offset: (page - 1) * pageSize,
  })
  return { orders: rows.map((row) => openOrder(ctx, row)), page, pages }
}

/** All orders of a user, newest first. The caller records the read. */
export async function* streamUserOrders(ctx: Context, userId: string): AsyncGenerator<Order> {
  for await (const rows of listInBatches(ctx, { userId, after: null, limit: null })) {
    for (const row of rows) yield openOrder(ctx, row)
  }
}

/**
 * Throws UNAUTHENTICATED, and NOT_FOUND when there is no such user or the reader may not see them.
 */
export async function requireOrderAccess(ctx: Context, userId: string): Promise<void> {
  const user = requireUser(ctx)
  const canRead = userId === user.id || can(user, 'orders.read')
  if (!canRead) throw notFoundForUser(ctx, userId)
  if (!isId(userId) || !(await findSealedEmail(ctx.db, userId))) throw new AppError('NOT_FOUND')
}

/**
 * A user's orders, newest first, for the user and for admins. Throws UNAUTHENTICATED, NOT_FOUND,
 * and INVALID when `after` is not an order of the user.
 */
export async function listUserOrders(ctx: Context, userId: string, paging: Paging): Promise<Order[]> {
  await requireOrderAccess(ctx, userId)
  await requireCursor(ctx, paging.after, userId)
  await recordRead(ctx, { action: 'orders.read', subjectId: userId })
  const orders: Order[] = []
  for await (const rows of listInBatches(ctx, { userId, ...paging })) {
    for (const row of rows) orders.push(openOrder(ctx, row))
  }
  return orders
}

/**
 * All customers' orders, newest first, without those of deleted users. Records the read in each
 * customer's access log. Throws UNAUTHENTICATED, FORBIDDEN, CODE_REQUIRED, and INVALID when `after`
 * is not an order, before it returns the first.
 */
export async function listAllOrders(ctx: Context, paging: Paging): Promise<AsyncGenerator<Order>> {
  requirePermission(ctx, 'customers.export')
  requireRecentCode(ctx)
  await requireCursor(ctx, paging.after, null)
  return streamAllOrders(ctx, paging)
}

async function* streamAllOrders(ctx: Context, paging: Paging): AsyncGenerator<Order> {
  const recordReadsOf = orderReadRecorder(ctx)
  for await (const rows of listInBatches(ctx, { userId: null, ...paging })) {
    await recordReadsOf(rows)
    for (const row of rows) yield openOrder(ctx, row)
  }
}

async function* listInBatches(
  ctx: Context,
  { userId, after, limit }: Paging & { userId: string | null },
): AsyncGenerator<OrderRow[]> {
  let before = after
  let remaining = limit ?? Number.MAX_SAFE_INTEGER
  for (;;) {
    const requested = Math.min(batchSize, remaining)
    const rows = await listRows(ctx.db, { userId, before, limit: requested })
    if (rows.length > 0) yield rows
    remaining -= rows.length
    if (rows.length < requested || remaining === 0) return
    before = rows.at(-1)?.id ?? before
  }
}

async function requireCursor(ctx: Context, after: string | null, userId: string | null): Promise<void> {
  if (after === null) return
  const row = isId(after) ? await findRow(ctx.db, after) : null
  if (!row || row.userId === null || (userId !== null && row.userId !== userId)) {
    throw new AppError('INVALID', 'after must be the id of a row in this list.')
  }
}
