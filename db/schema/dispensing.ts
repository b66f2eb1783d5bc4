import type { FillStatus, ItemStatus, LineReviewStatus } from '#domain/dispensing/dispensing.ts'
import type { Generated } from 'kysely'

/** The last prescription number given. One row. */
export type PrescriptionNumbersTable = { id: number; last: number }

/** One medicine that a prescriber ordered, transcribed by a pharmacist. */
export type PrescriptionItemsTable = {
  id: string
  prescriptionId: string
  /** The customer, whose key seals it. */
  userId: string
  status: ItemStatus
  /** `ItemContent` as JSON, sealed for the user. */
  sealedItem: string
  transcribedBy: string
  /** Rises with each edit and with each fill: fills are counted under it. */
  version: Generated<number>
  createdAt: Date
  updatedAt: Date
}

/** One dispensing of an item for one order line. */
export type FillsTable = {
  id: string
  itemId: string
  /** The checkout that reserved it; null when a pharmacist assigned it. */
  checkoutId: string | null
  orderId: string | null
  lineId: string
  status: FillStatus
  /** `FillContent` as JSON, sealed for the item's user. */
  sealedFill: string
  pharmacistId: string | null
  createdAt: Date
  clearedAt: Date | null
  dispensedAt: Date | null
  releasedAt: Date | null
}

/** A pharmacist's decision on one prescription line of an order. */
export type LineReviewsTable = {
  lineId: string
  orderId: string
  /** Who takes the medicine: the customer. */
  patientId: string
  /** The prescription that the customer chose, or that the item belongs to. */
  prescriptionId: string | null
  itemId: string | null
  fillId: string | null
  status: LineReviewStatus
  /** `LineDecision` as JSON, sealed under the shop's key. */
  sealedDecision: string | null
  decidedBy: string | null
  decidedAt: Date | null
  /** The second pharmacist, if the shop requires two. */
  checkedBy: string | null
  checkedAt: Date | null
  version: Generated<number>
  createdAt: Date
}

/** What a pharmacist has typed into a case, and when they last looked at it. */
export type CaseDraftsTable = {
  /** The id of the order, or of a prescription without one. */
  caseId: string
  userId: string
  patientId: string
  sealedDraft: string | null
  seenAt: Date
}

/** A pharmacist's license. Clearing needs one. */
export type PharmacistLicensesTable = {
  userId: string
  number: string
  jurisdiction: string
  recordedBy: string
  recordedAt: Date
}
