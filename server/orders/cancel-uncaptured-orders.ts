import { listUncapturedOrders } from '#db/orders/orders.ts'
import type { Context } from '../context.ts'
import { restockLines, type ReturnedLine } from '../inventory/restock-lines.ts'
import { applyOrderChange } from './apply-order-change.ts'

/**
 * Cancels a user's orders that were not charged yet, in the transaction that deletes the account:
 * no pharmacist can clear them any more, so the card must not be charged.
 */
export async function cancelUncapturedOrders(ctx: Context, userId: string): Promise<void> {
  const returned: ReturnedLine[] = []
  const restock = (_: Context, lines: readonly ReturnedLine[]): void => void returned.push(...lines)
  for (const row of await listUncapturedOrders(ctx.db, userId)) {
    await applyOrderChange(
      ctx,
      { ...row, userId },
      { ...row, status: 'cancelled', cancels: true },
      { restock },
    )
  }
  if (returned.length > 0) await restockLines(ctx, returned)
}
