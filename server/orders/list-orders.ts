import {
  countOrders,
  findOrder as findRow,
  listOrders as listRows,
  type OrderRow,
} from '#db/orders/orders.ts'
import { findSealedEmail } from '#db/accounts/users.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { Order } from '#domain/orders/orders.ts'
import { requireAdmin, requireUser } from '../require-user.ts'
import { recordRead, recordReads } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { openOrder } from './sealed-order.ts'

/** How many orders a page of one's own history shows. */
const pageSize = 20
/** How many are read and opened at a time where somebody asks for all. */
const batchSize = 500

/** Where a list begins, after an order's id or with the newest, and where it ends; `limit` null is the whole. */
type Paging = { after: string | null; limit: number | null }

/**
 * A page of one's own orders, the newest first; a page past the last is the last. Throws UNAUTHENTICATED.
 * @param page from 1
 */
export async function listOrderHistory(
  ctx: Context,
  { page: requested }: { page: number },
): Promise<{ orders: Order[]; page: number; pages: number }> {
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
  return { orders: rows.map((row) => openOrder(ctx.keys, row)), page, pages }
}

/** All of one's own, the newest first, unrecorded: that is the caller's. */
export async function* streamUserOrders(ctx: Context, userId: string): AsyncGenerator<Order> {
  for await (const rows of listInBatches(ctx, { userId, after: null, limit: null })) {
    for (const row of rows) yield openOrder(ctx.keys, row)
  }
}

/** Throws UNAUTHENTICATED, and NOT_FOUND when the orders are another's and whoever asks is no admin, or there is no such user. */
export async function requireOrderAccess(ctx: Context, userId: string): Promise<void> {
  const user = requireUser(ctx)
  const canRead = userId === user.id || user.mayAdminister
  if (!canRead || !isId(userId) || !(await findSealedEmail(ctx.db, userId))) throw new AppError('NOT_FOUND')
}

/**
 * A user's orders, the newest first, for themself and for admins. Throws UNAUTHENTICATED, NOT_FOUND, and INVALID when `after` names
 * none of them.
 */
export async function listUserOrders(ctx: Context, userId: string, paging: Paging): Promise<Order[]> {
  await requireOrderAccess(ctx, userId)
  await requireCursor(ctx, paging.after, userId)
  await recordRead(ctx, { action: 'orders.read', subjectId: userId })
  const orders: Order[] = []
  for await (const rows of listInBatches(ctx, { userId, ...paging })) {
    for (const row of rows) orders.push(openOrder(ctx.keys, row))
  }
  return orders
}

/**
 * Everybody's orders, the newest first, for an admin, read in batches; each whose they are can read that somebody looked. Those of
 * deleted users are not among them. Throws UNAUTHENTICATED, FORBIDDEN, and INVALID, before the first, when `after` names none.
 */
export async function listAllOrders(ctx: Context, paging: Paging): Promise<AsyncGenerator<Order>> {
  requireAdmin(ctx)
  await requireCursor(ctx, paging.after, null)
  return streamAllOrders(ctx, paging)
}

async function* streamAllOrders(ctx: Context, paging: Paging): AsyncGenerator<Order> {
  const recordedIds = new Set<string>()
  for await (const rows of listInBatches(ctx, { userId: null, ...paging })) {
    const subjectIds = new Set(
      rows.flatMap(({ userId }) => (userId === null || recordedIds.has(userId) ? [] : [userId])),
    )
    await recordReads(ctx, { action: 'orders.read', subjectIds: [...subjectIds] })
    for (const id of subjectIds) recordedIds.add(id)
    for (const row of rows) yield openOrder(ctx.keys, row)
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
    throw new AppError('INVALID', 'after names no row of this list.')
  }
}
