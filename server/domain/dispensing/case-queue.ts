import type { GridPage } from '../grid.ts'
import type { OrderStatus } from '../orders/order-status.ts'
import type { PrescriptionStatus } from '../prescriptions/prescriptions.ts'
import type { Destination } from './destination.ts'
import type { LineReviewStatus } from './dispensing.ts'

/**
 * The pharmacists' queue and search, as JSON: times are ISO 8601, days `YYYY-MM-DD`.
 *
 * A case is an order with prescription lines, or a prescription that no undecided order uses.
 */

/** The filters of the queue. */
export const caseFilters = {
  new: 'New',
  asked: 'Waiting for the customer',
  due: 'Due today',
  mine: 'Mine',
  check: 'Second check',
  all: 'All open',
} as const
export type CaseFilter = keyof typeof caseFilters

export type CaseKind = 'order' | 'prescription'

/** Whether the customer was asked about a case, or has answered. */
export type QuestionState = 'asked' | 'answered' | null

/** A case in the queue. */
export type QueueRow = {
  id: string
  kind: CaseKind
  /** Of an order for several people, all of them. */
  patientName: string
  /** The customer, where a dependant is a patient; else null. */
  accountName: string | null
  /** When the order was placed or the prescription uploaded. */
  receivedAt: string
  /** Whole days since then. */
  daysWaiting: number
  /** The provider keeps the authorization until then. Null when there is none. */
  captureBefore: string | null
  /** Whether it must be decided within a day, or the shop decides without a pharmacist. */
  isDue: boolean
  /** The provider refused the capture. Nothing ships. */
  isCaptureRefused: boolean
  lines: Record<LineReviewStatus, number>
  /** Cleared lines that a second pharmacist has not checked. 0 when the shop needs one only. */
  unchecked: number
  /** The names of the prescription medicines of an order. Empty for a prescription. */
  medicines: string[]
  /** "Rx 000123". */
  rxNumbers: string[]
  destination: Destination | null
  question: QuestionState
  /** Whether the signed-in pharmacist has a draft here. */
  hasDraft: boolean
  /** Other staff who looked at it in the last minutes. */
  viewers: string[]
}
export type QueuePage = GridPage<QueueRow> & { counts: Record<CaseFilter, number> }

/** An order or a prescription that was looked up, decided or not. */
export type FoundCase = {
  id: string
  kind: CaseKind
  /** Of an order for several people, all of them. */
  patientName: string
  /** The customer, where a dependant is a patient; else null. */
  accountName: string | null
  receivedAt: string
  /** "Rx 000123". */
  rxNumbers: string[]
  /** The names of the prescription medicines of an order. Empty for a prescription. */
  medicines: string[]
  /** Of the order, or of the prescription today. */
  status: { kind: 'order'; is: OrderStatus } | { kind: 'prescription'; is: PrescriptionStatus }
  /** Lines by their decision; null for a prescription. */
  lines: Record<LineReviewStatus, number> | null
  /** Who decided, the last first. */
  decidedBy: string[]
}
/** `isNumber`: an Rx or order number was typed, so that one match is the right one. */
export type FoundCases = { rows: FoundCase[]; isNumber: boolean }
