import { findOrder as findRow, type OrderRow } from '#db/orders/orders.ts'
import { can } from '#domain/accounts/permissions.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { noteRefusal, notFoundForUser } from '../note-refusal.ts'
import { requireUser } from '../require-user.ts'
import type { Context } from '../context.ts'

/** An order whose customer still has an account. */
export type CustomerOrder = OrderRow & { userId: string }

/** The message for a missing order (specification, section 8). */
export const orderNotFound = 'Order not found'

/**
 * The signed-in user's order, or any order for staff with `orders.read`. Throws UNAUTHENTICATED,
 * and NOT_FOUND when the order is missing, another user's or a deleted user's.
 */
export async function findOrder(ctx: Context, id: string): Promise<CustomerOrder> {
  const user = requireUser(ctx)
  const row = isId(id) ? await findRow(ctx.db, id) : null
  if (!row || row.userId === null || (row.userId !== user.id && !can(user, 'orders.read'))) {
    throw notFoundForUser(ctx, id, orderNotFound)
  }
  return { ...row, userId: row.userId }
}

/**
 * Throws CONFLICT for an order of the signed-in user's own: a colleague ships, refunds and changes
 * it. As its customer they can still cancel it.
 */
export function refuseOwnOrder(
  ctx: Pick<Context, 'user' | 'refusals'>,
  { id, userId }: Pick<CustomerOrder, 'id' | 'userId'>,
): void {
  if (requireUser(ctx).id === userId) {
    noteRefusal(ctx, id)
    throw new AppError('CONFLICT', 'This is your own order. Ask a colleague to change it.')
  }
}
