import { lockOrdersOf } from '#db/orders/orders.ts'
import type { Context } from '../context.ts'
import { restockLines, type ReturnedLine } from '../inventory/restock-lines.ts'
import { applyOrderChange } from './apply-order-change.ts'

/**
 * Cancels a user's orders that have not shipped, in the transaction that deletes the account: staff
 * can no longer see, clear, ship or refund them. What was charged is refunded.
 */
export async function cancelUnshippedOrders(ctx: Context, userId: string): Promise<void> {
  const returned: ReturnedLine[] = []
  const restock = (_: Context, lines: readonly ReturnedLine[]): void => void returned.push(...lines)
  for (const row of await lockOrdersOf(ctx.db, userId, ['pending', 'processing'])) {
    await applyOrderChange(
      ctx,
      { ...row, userId },
      { ...row, status: 'cancelled', cancels: true },
      { restock, isAccountDeleted: true },
    )
  }
  if (returned.length > 0) await restockLines(ctx, returned)
}
