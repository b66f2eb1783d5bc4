import type { TransactionType } from './inventory.ts'

/** What of the stock is shown: what is running low, what is out, all of it. */
export const stockShown = ['low', 'out', 'all'] as const

/** What each type of change is called. */
export const transactionLabels = {
  purchase: 'Purchase',
  adjustment: 'Adjustment',
  return: 'Return',
  damaged: 'Damaged',
  expired: 'Expired',
  sale: 'Sale',
  cancellation: 'Cancellation',
} as const satisfies Record<TransactionType, string>

/** +12, −3: what came and what went. */
export const signed = (change: number): string =>
  change > 0 ? `+${change.toLocaleString('en-US')}` : `\u2212${Math.abs(change).toLocaleString('en-US')}`

/** What somebody is told when their change of the stock was not made (specification, section 8). */
export const adjustmentFailed = 'Failed to adjust stock. Please try again.'
