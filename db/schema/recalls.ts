import type { HoldOutcome } from '#domain/screening/recall-hold.ts'
import type { RecallAction } from '#domain/screening/recorded-recall.ts'

/** A file of recalls or shortages that an admin sent and has not imported yet. */
export type CareUploadsTable = {
  id: string
  fileName: string
  /** The file, gzipped and in base64. */
  content: string
  createdBy: string
  createdAt: Date
}

/** A recall whose effects on stock and orders are not applied yet. */
export type RecallTasksTable = { recallId: string; requestedAt: Date }

/** Units in no lot that left the stock because a recall is for all lots. */
export type RecallHoldsTable = { recallId: string; variantId: string; units: number }

/** What became of units that a recall held. */
export type RecallHoldEventsTable = {
  id: string
  recallId: string
  variantId: string
  units: number
  outcome: HoldOutcome
  reason: string
  actorId: string
  at: Date
}

/** Who recorded a recall, with the source, or ended it, with the reason. */
export type RecallEventsTable = {
  id: string
  recallId: string
  action: RecallAction
  /** Sealed under the shop's key: it may name who called. */
  sealedNote: string
  actorId: string
  at: Date
}

/** A shipped order whose customer was notified of a recall. The keys are blind indexes. */
export type RecallNoticesTable = {
  id: string
  recallKey: string
  orderKey: string
  /** Of the recall and the customer: equal for all orders of a customer. */
  personKey: string
  /** Sealed under the shop's key. */
  sealedNotice: string
}
