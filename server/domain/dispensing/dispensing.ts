/** The states of what a prescription allows (docs/dispensing.md). Without zod, for the pages. */

/** `closed`: revoked, transferred out or replaced. Nothing more is dispensed on it. */
export const itemStatuses = ['active', 'closed'] as const
export type ItemStatus = (typeof itemStatuses)[number]

/**
 * `reserved`: for a checkout or an order that waits for a pharmacist. `cleared`: a pharmacist
 * allowed it. `dispensed`: it left the pharmacy. `released`: it never will, and no longer counts.
 */
export const fillStatuses = ['reserved', 'cleared', 'dispensed', 'released'] as const
export type FillStatus = (typeof fillStatuses)[number]

/** `waiting`: for a pharmacist. `asked`: for the customer's answer. */
export const lineReviewStatuses = ['waiting', 'asked', 'cleared', 'refused'] as const
export type LineReviewStatus = (typeof lineReviewStatuses)[number]

/** Whether a pharmacist still has to decide on a line. */
export const isUndecided = (status: LineReviewStatus): boolean => status === 'waiting' || status === 'asked'

/**
 * The review of a prescription line as shipping sees it. `unchecked`: cleared, but not by a second
 * pharmacist yet. The order counts: an order has the first of these that one of its lines has. What
 * the pharmacy must do comes before what the customer must do. Refused lines do not ship, so they
 * decide only when all are refused.
 */
const clearances = ['waiting', 'unchecked', 'asked', 'cleared', 'refused'] as const
export type Clearance = (typeof clearances)[number]

/** The clearance of a line's review. A line without a review waits. */
export const getClearance = (
  review: { status: LineReviewStatus; checkedBy: string | null } | undefined,
  { twoPharmacists }: { twoPharmacists: boolean },
): Clearance =>
  review?.status === 'cleared' && twoPharmacists && review.checkedBy === null
    ? 'unchecked'
    : (review?.status ?? 'waiting')

/** The review status of an order, by its lines. Null without lines. */
export const combineClearances = (lines: readonly Clearance[]): Clearance | null =>
  clearances.find((clearance) => lines.includes(clearance)) ?? null

/** Why a pharmacist without a recorded license can't decide. */
export const noLicenseMessage = 'Ask an admin to record your license. Then you can clear prescriptions.'

/** "Rx 000123": the number of a prescription, as people read it. */
export const rxNumber = (number: number): string => `Rx ${String(number).padStart(6, '0')}`
