import { findOrder as findRow, type OrderRow } from '#db/orders/orders.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { requireUser } from '../require-user.ts'
import type { Context } from '../context.ts'

/** An order whose user still has an account: there is somebody whose it is. */
export type CustomerOrder = OrderRow & { userId: string }

/** What a missing order is told as (specification, section 8). */
export const orderNotFound = 'Order not found'

/** An order of one's own, or for an admin anybody's. Throws UNAUTHENTICATED; NOT_FOUND when it is missing, another's or a deleted user's. */
export async function findOrder(ctx: Context, id: string): Promise<CustomerOrder> {
  const user = requireUser(ctx)
  const row = isId(id) ? await findRow(ctx.db, id) : null
  if (!row || row.userId === null || (row.userId !== user.id && !user.mayAdminister)) {
    throw new AppError('NOT_FOUND', orderNotFound)
  }
  return { ...row, userId: row.userId }
}
