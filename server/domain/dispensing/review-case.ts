import type { CaseScreening } from '../alerts/case-alert.ts'
import type { RecordView } from '../patients/patient-view.ts'
import type { FileType } from '../files/files.ts'
import type { GridPage } from '../grid.ts'
import type { Thread } from '../messages/messages.ts'
import type { OrderStatus } from '../orders/order-status.ts'
import type { PaymentHoldStatus } from '../orders/payment-hold.ts'
import type { PrescriptionStatus } from '../prescriptions/prescriptions.ts'
import type { FillStatus, ItemStatus, LineReviewStatus } from './dispensing.ts'
import type { FillProblem } from './fill-rules.ts'
import type { Difference, Medicine } from './medicine.ts'
import type { AuthenticationMethod, ItemContent, LineDecision, Transcription } from './prescription-item.ts'

/**
 * What the pharmacist's workspace shows, as JSON: times are ISO 8601, days `YYYY-MM-DD`. Without
 * zod, because the workspace's page bundles it; its inputs are in `case-inputs.ts`.
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

/** Where an order goes, with what the committed rules say about it. */
export type Destination = {
  /** As the customer typed it: "United States". */
  country: string
  /** The postal code of the state or province of a US or Canadian address; null when unclear. */
  state: string | null
  /** Whether the pharmacies of these medicines ship there. Otherwise clearing needs a decision. */
  isServed: boolean
  /** Whether it stays in the pharmacies' own country. */
  isDomestic: boolean
  /** The names of pharmacies that fill a line and do not ship there. */
  pharmacies: string[]
  /** None: no rule in our list. That does not mean that none exists. */
  rules: DestinationRule[]
}

/** A rule of server/reviews/import-rules.json, in its words. */
export type DestinationRule = {
  id: string
  appliesTo: string
  situation: string
  rule: string
  limit: string | null
  authority: string
  source: string
  sourceDate: string | null
  /** "text read", or that only a summary was read. A shop's lawyer confirms each. */
  howRead: string
}

/** Whether the customer was asked about a case, or has answered. */
export type QuestionState = 'asked' | 'answered' | null

/** A case in the queue. */
export type QueueRow = {
  id: string
  kind: CaseKind
  patientName: string
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
  patientName: string
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

/** A prescription of a case: the customer's claim, the file, and what was transcribed. */
export type CasePrescription = {
  id: string
  /** The dependant it is for; null for the customer. */
  dependantName: string | null
  rxNumber: string
  version: number
  /** The status today, including `expired`. */
  status: PrescriptionStatus
  statusReason: string | null
  /** Who approved or rejected it, by name. */
  decidedBy: string | null
  decidedAt: string | null
  uploadedAt: string
  /** What the customer typed. A claim, and shown as such. */
  claim: {
    doctorName: string | null
    prescriptionDate: string | null
    expiryDate: string | null
    notes: string | null
  }
  fileType: FileType
  /** When the malware scanner found the file clean. Null when it was not scanned. */
  fileScannedAt: string | null
  /** Null until a pharmacist transcribes it. */
  transcription: CaseTranscription | null
  items: CaseItem[]
  /** Why this may be a second copy of an earlier prescription. */
  possibleDuplicates: PossibleDuplicate[]
}

/** `by` of each part is a name. */
export type CaseTranscription = Transcription & {
  /** Whether the name on the file is the patient's. The pharmacist decides when it is not. */
  isPatientName: boolean
}

export type PossibleDuplicate = {
  prescriptionId: string
  rxNumber: string
  uploadedAt: string
  status: PrescriptionStatus
  /** `file`: the same file. `content`: the same patient, prescriber, written date and medicine. */
  reason: 'file' | 'content'
  /** "Lisinopril 10 mg", for `content`. */
  medicine: string | null
  /** Whether it is another customer's, whose data is not shown. */
  isOtherCustomer: boolean
}

export type CaseItem = Omit<ItemContent, 'patientId'> & {
  id: string
  version: number
  status: ItemStatus
  prescriptionId: string
  rxNumber: string
  /** The last valid day by all rules. */
  validThrough: string
  isExpired: boolean
  remainingUnits: number
  refillsLeft: number
  /** The first day of the next refill; null when none was dispensed yet. */
  nextFillOn: string | null
  transcribedBy: string | null
  updatedAt: string
}

/** A fill in the patient's history, the newest first. */
export type CaseFill = {
  id: string
  itemId: string
  /** The dependant it is for; null for the customer. */
  dependantName: string | null
  rxNumber: string
  medicine: Medicine
  orderId: string | null
  lineId: string
  units: number
  daysSupply: number
  status: FillStatus
  createdAt: string
  dispensedAt: string | null
  pharmacist: string | null
}

/** An item that could fill a line, with what the rules say. */
export type CaseCandidate = {
  itemId: string
  itemVersion: number
  rxNumber: string
  /** The dependant it is for; null for the customer. */
  dependantName: string | null
  prescriptionId: string
  /** Null when all rules allow the fill. */
  problem: FillProblem | null
  /** The same in words. */
  message: string | null
  /** How the ordered medicine differs from the prescribed one. */
  difference: Difference | null
  /** The decision that the pharmacist can record to clear it anyway; null when none can. */
  needs: 'early' | 'substitute' | 'both' | null
  /** Whether it can be cleared, with that decision. */
  isPossible: boolean
  daysSupply: number
  refillsLeft: number
}

export type CaseLine = {
  id: string
  patientId: string
  /** The dependant it is for; null for the customer. */
  dependantName: string | null
  version: number
  status: LineReviewStatus
  product: { id: string; name: string }
  variantId: string
  quantity: number
  /** "Zestril 10 mg tablet, 30 tablets". */
  variant: string
  /** Null when the variant of an earlier order is gone. Such a line can only be refused. */
  medicine: Medicine | null
  /** In the medicine's unit. */
  units: number | null
  /** The variant that its catalog entry links to: a suggestion to ask the prescriber about. */
  linkedVariant: string | null
  prescriptionId: string | null
  itemId: string | null
  fillStatus: FillStatus | null
  candidates: CaseCandidate[]
  /** States that schedule an ingredient themselves, by postal code (an admin keeps the list). */
  scheduledIn: string[]
  /** What the label must record before it ships: "Medication Guide", "REMS". */
  undecidedFlags: string[]
  /** Why it cannot be cleared yet, in words: "Record how the prescription was authenticated." */
  blockers: string[]
  decision: LineDecision
  decidedBy: string | null
  decidedAt: string | null
  checkedBy: string | null
  checkedAt: string | null
  /** Whether the signed-in pharmacist may do the second check. */
  canCheck: boolean
}

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
  /** The lines without prescription, which wait with the others. */
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
export type CaseDraft = { fields: Record<string, string>; savedAt: string }

/** A prescription medicine to choose when transcribing. Controlled ones cannot be chosen. */
export type MedicineOption = {
  variantId: string
  productName: string
  medicine: Medicine
  manufacturer: string | null
  /** "30 tablets". */
  package: string
  /** Why it cannot be transcribed: it is a controlled substance. */
  problem: string | null
}

export const authenticationLabels = {
  original: 'Original received',
  prescriber: 'Sent by the prescriber',
  contacted: 'Confirmed by a contact that wasn’t taken from the file',
  transferred: 'Transferred from another pharmacy',
} as const satisfies Record<AuthenticationMethod, string>

/** Why a pharmacist closes an item. The text and a note are stored with it. */
export const closeReasonLabels = {
  revoked: 'Revoked by the prescriber',
  transferred: 'Transferred to another pharmacy',
  replaced: 'Replaced by a new prescription',
} as const
export type CloseItemReason = keyof typeof closeReasonLabels

/** Whether a closed item continues at another pharmacy, which needs its record. */
export const isTransferred = (closedReason: string | null): boolean =>
  closedReason?.startsWith(closeReasonLabels.transferred) ?? false

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
  draftFields: 400,
  draftCharacters: 50_000,
} as const

/** Adults give no weight. */
export const adultAge = 18
