import type { TransactionType } from './inventory.ts'

/** The views of the stock list. */
export const stockViews = ['low', 'out', 'all'] as const

/** The views of the list of lots. */
export const lotViews = ['available', 'quarantined', 'expired', 'all'] as const

/** The choices of "Expires in", in days. */
export const expiryRanges = [30, 90, 180, 365] as const

/** Limits in characters. GS1 allows 20 for a lot number. */
export const lotBounds = { number: 40, reason: 500 } as const

/** The labels of the transaction types. */
export const transactionLabels = {
  purchase: 'Purchase',
  adjustment: 'Adjustment',
  return: 'Return',
  damaged: 'Damaged',
  expired: 'Expired',
  sale: 'Sale',
  cancellation: 'Cancellation',
} as const satisfies Record<TransactionType, string>

/** A quantity change with its sign: +12, −3. */
export const signedChange = (change: number): string =>
  change > 0 ? `+${change.toLocaleString('en-US')}` : `\u2212${Math.abs(change).toLocaleString('en-US')}`

/** Shown when received units are in quarantine: their lot is recalled, or was put there since. */
export const receivedIntoQuarantine = (lotNumber: string) =>
  ({
    kind: 'error',
    title: 'Lot in quarantine',
    text: `Lot ${lotNumber} is in quarantine. Its units are not in stock. Keep them away from the shelf.`,
  }) as const

/** Shown when an adjustment fails (specification, section 8). */
export const adjustmentFailed = 'Failed to adjust stock. Please try again.'
