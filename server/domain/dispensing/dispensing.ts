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

/** How an order's lines stand together: as the one that is furthest from leaving. */
export const combineStatuses = (statuses: readonly LineReviewStatus[]): LineReviewStatus | null =>
  lineReviewStatuses.find((status) => statuses.includes(status)) ?? null

/** Why a pharmacist without a recorded license can't decide. */
export const noLicenseMessage = 'Ask an admin to record your license. Then you can clear prescriptions.'

/** "Rx 000123": the number of a prescription, as people read it. */
export const rxNumber = (number: number): string => `Rx ${String(number).padStart(6, '0')}`
