/** A pharmacist's decision on an alert about a patient. */
export type AlertDecisionsTable = {
  id: string
  /** The customer whose order it was. */
  userId: string
  lineId: string
  /** `AlertDecision` as JSON, sealed for the user. */
  sealedDecision: string
  /** Without a foreign key: it outlives the accounts of former staff. */
  decidedBy: string
  decidedAt: Date
}

/** How often a rule's alerts were shown to pharmacists in a month, and what they did. */
export type AlertCountsTable = {
  /** `YYYY-MM`. */
  month: string
  kind: string
  list: string
  /** Empty for lists whose grades name classes of medicines. */
  grade: string
  level: string
  shown: number
  /** Ordered by a customer who confirmed reading the alert. */
  confirmed: number
  /** Cleared with a decision on the alert. */
  overridden: number
  refused: number
}
