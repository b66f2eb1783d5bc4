import type { FileType } from '../files/files.ts'
import type { PrescriptionStatus } from '../prescriptions/prescriptions.ts'
import type { FillStatus, ItemStatus } from './dispensing.ts'
import type { Medicine } from './medicine.ts'
import type { AuthenticationMethod, ItemContent, Transcription } from './prescription-item.ts'

/**
 * The prescriptions, items and fills of a pharmacist's case, as JSON. Without zod, because the
 * workspace's page bundles it.
 */

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
  /** "By the directions, 200 tablets last 100 days, not 30." */
  supplyMismatch: string | null
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
