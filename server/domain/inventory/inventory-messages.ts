import type { TransactionType } from './inventory.ts'

/** The views of the stock list. */
export const stockViews = ['low', 'out', 'all'] as const

/** The views of the list of lots. */
export const lotViews = ['available', 'quarantined', 'expired', 'all'] as const

/** The choices of "Expires in", in days. */
export const expiryRanges = [30, 90, 180, 365] as const

/**
 * How many changes of a variant's stock the history of one of its lots reads: each is decrypted, in
 * about 10 µs.
 */
export const maxReadChanges = 10_000

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

/** A quantity change with its sign: +12, −3, 0. */
export const signedChange = (change: number): string => {
  const sign = change > 0 ? '+' : change < 0 ? '\u2212' : ''
  return `${sign}${Math.abs(change).toLocaleString('en-US')}`
}

/** "1 unit", "1,200 units". */
export const countUnits = (count: number): string =>
  count === 1 ? '1 unit' : `${count.toLocaleString('en-US')} units`

/** Why a form that was changed after it recorded units is refused. */
export const alreadyRecordedMessage = (units: number): string =>
  `This form already recorded ${countUnits(units)}. Check what is left before you record more.`

/** Shown when a form that recorded units is sent again, so that nothing more was recorded. */
export const alreadyRecorded = (units: number) =>
  ({
    kind: 'info',
    title: `Already recorded: ${countUnits(units)}`,
    text: 'This form recorded nothing more. To record more units, fill it in again.',
  }) as const

/** Shown when received units are in quarantine: their lot is recalled, or was put there since. */
export const receivedIntoQuarantine = (lotNumber: string) =>
  ({
    kind: 'error',
    title: 'Lot in quarantine',
    text: `Lot ${lotNumber} is in quarantine. Its units are not in stock. Keep them away from the shelf.`,
  }) as const

/** Shown when an adjustment fails (specification, section 8). */
export const adjustmentFailed = 'Failed to adjust stock. Please try again.'
