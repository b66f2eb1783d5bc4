import type { CaseScreening } from '../alerts/case-alert.ts'
import type { FileType } from '../files/files.ts'
import type { Thread } from '../messages/messages.ts'
import type { OrderStatus } from '../orders/order-status.ts'
import type { PaymentHoldStatus } from '../orders/payment-hold.ts'
import type { RecordView } from '../patients/patient-view.ts'
import type { CaseLine } from './case-line.ts'
import type { CaseFill, CaseItem, CasePrescription } from './case-prescription.ts'
import type { CaseKind } from './case-queue.ts'
import type { Destination } from './destination.ts'
import type { Medicine } from './medicine.ts'

/**
 * What the pharmacist's workspace shows of a case, as JSON: times are ISO 8601, days `YYYY-MM-DD`.
 * Without zod, because the workspace's page bundles it; its inputs are in `case-inputs.ts`.
 */

export type CasePatient = {
  /** The customer's account. */
  id: string
  patientId: string
  isDependant: boolean
  /** Their lists, with what no list knows. */
  record: RecordView
  name: string
  gender: string | null
  dateOfBirth: string | null
  /** In whole years, today. */
  age: number | null
  weightPounds: number | null
  /** The day of that weight; null when it is not known. */
  weightOn: string | null
  weightKilograms: number | null
  /** Under 18, clearing asks for a dated weight. */
  isMinor: boolean
  currentMedications: string | null
  allergies: string | null
  phone: string | null
  /** Null when none is on file. */
  idDocumentType: FileType | null
  idDocumentScannedAt: string | null
}

export type CaseOrder = {
  id: string
  status: OrderStatus
  createdAt: string
  total: string
  /** "1 Main St, Springfield, IL 62701, United States". */
  shipTo: string
  /** Null for an order that was charged at checkout. */
  hold: { status: PaymentHoldStatus; captureBefore: string | null; isRefused: boolean } | null
  /** The lines without a prescription, which wait with the others. */
  otherLines: { id: string; name: string; quantity: number }[]
  /** Whether the signed-in user placed it. Then a colleague decides. */
  isOwn: boolean
}

/** An order that uses a prescription, in a case without one. */
export type CaseOrderLink = { id: string; status: OrderStatus; createdAt: string; undecided: number }

/** Messages about the order, or about a prescription of the case. */
export type CaseThread = Thread & {
  /** The order's or the prescription's id. */
  subjectId: string
  /** "Rx 000123"; null for the order. */
  rxNumber: string | null
}

/** Everything that a pharmacist needs for a case. */
export type ReviewCase = {
  id: string
  kind: CaseKind
  /** The customer, who reads what is decided. */
  patient: CasePatient
  /** Those whom the lines or prescriptions are for. The customer, unless it is dependants only. */
  patients: CasePatient[]
  /** Null in a case of a prescription alone. */
  order: CaseOrder | null
  /** In the order's order. Empty in a case of a prescription alone. */
  lines: CaseLine[]
  /** Those that the lines use, then others of the patient that are under review. */
  prescriptions: CasePrescription[]
  /** The patient's active items of other prescriptions. */
  otherItems: CaseItem[]
  /** All fills of the patient that were not released, the newest first. */
  history: CaseFill[]
  destination: Destination | null
  /** What the lists say about the order for its patient. Null in a case of a prescription alone. */
  screening: CaseScreening | null
  orders: CaseOrderLink[]
  /** Messages with the customer about the order and the prescriptions. Empty ones are left out. */
  threads: CaseThread[]
  settings: { refillOpensAtPercent: number; twoPharmacists: boolean }
  /** Other staff who looked at it in the last minutes. */
  viewers: string[]
  /** The signed-in pharmacist's own. */
  draft: CaseDraft | null
  /** Why the signed-in user cannot decide here: it is their own, or they lack a license. */
  readOnlyReason: string | null
}

/** What a pharmacist typed into a case, by field name. */
export type StoredDraft = { fields: Record<string, string>; savedAt: string }

/** A draft with the medicines that it chose, by variant. */
export type CaseDraft = StoredDraft & { medicines: Readonly<Record<string, Medicine>> }

/** The limits of what is typed. */
export const caseBounds = {
  search: 200,
  name: 200,
  directions: 500,
  note: 1000,
  reason: 500,
  question: 1000,
  units: 10_000,
  daysSupply: 366,
  refills: 11,
  items: 20,
  /** Possible duplicates that a form lists. */
  duplicates: 200,
  draftFields: 400,
  draftCharacters: 50_000,
} as const
