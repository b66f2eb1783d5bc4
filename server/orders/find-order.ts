import { findOrder as findRow, type OrderRow } from '#db/orders/orders.ts'
import { isId } from '#domain/ids.ts'
import { notTheirs } from '../note-refusal.ts'
import { requireUser } from '../require-user.ts'
import type { Context } from '../context.ts'

/** An order whose customer still has an account. */
export type CustomerOrder = OrderRow & { userId: string }

/** The message for a missing order (specification, section 8). */
export const orderNotFound = 'Order not found'

/**
 * The signed-in user's order, or any order for an admin. Throws UNAUTHENTICATED, and NOT_FOUND when
 * the order is missing, another user's or a deleted user's.
 */
export async function findOrder(ctx: Context, id: string): Promise<CustomerOrder> {
  const user = requireUser(ctx)
  const row = isId(id) ? await findRow(ctx.db, id) : null
  if (!row || row.userId === null || (row.userId !== user.id && !user.canAdminister)) {
    throw notTheirs(ctx, id, orderNotFound)
  }
  return { ...row, userId: row.userId }
}
