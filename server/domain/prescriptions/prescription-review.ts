import type { DosageForm, Category } from '../catalog/catalog.ts'
import type { FileType } from '../files/files.ts'
import type { OrderStatus } from '../orders/order-status.ts'
import type { PrescriptionStatus } from './prescriptions.ts'

/**
 * What the back office shows of prescriptions, as JSON: times are ISO 8601, money is a string. This
 * file does not import zod, because its page bundles it.
 */

/**
 * The filters of the queue. They match the stored status: a prescription that has expired since
 * keeps its decided status here.
 */
export const reviewFilters = {
  under_review: 'Waiting',
  approved: 'Approved',
  rejected: 'Rejected',
  expired: 'Expired',
  all: 'All',
} as const satisfies Record<PrescriptionStatus | 'all', string>
export type ReviewFilter = keyof typeof reviewFilters

export const questionBounds = { question: 1000 } as const

/** The state of the last question about a prescription. */
export type QuestionState = 'asked' | 'answered' | null

/** A prescription in the queue. */
export type ReviewRow = {
  id: string
  patientName: string
  /** The status today. */
  status: PrescriptionStatus
  uploadedAt: string
  /** Whole days since the upload. */
  daysWaiting: number
  /** Paid orders that have not shipped. */
  waitingOrders: number
  question: QuestionState
}

/** A question to the customer. */
export type Question = {
  id: string
  question: string
  askedAt: string
  answer: string | null
  answeredAt: string | null
}

/** An order that uses the prescription, with the lines that require one first. */
export type ReviewOrder = {
  id: string
  status: OrderStatus
  createdAt: string
  total: string
  lines: {
    id: string
    quantity: number
    product: { name: string; category: Category }
    variant: {
      brandName: string | null
      strength: string
      strengthUnit: string
      dosageForm: DosageForm | null
      packageSize: number
      packageUnit: string
    }
  }[]
}

/** Everything a reviewer needs for a decision. */
export type Review = {
  id: string
  version: number
  /** The status today, including `expired`. */
  status: PrescriptionStatus
  /** The status that was decided, regardless of the date. */
  decidedStatus: PrescriptionStatus
  statusReason: string | null
  decidedAt: string | null
  /** The reviewer's name; null when undecided or their account was deleted. */
  decidedBy: string | null
  uploadedAt: string
  doctorName: string | null
  prescriptionDate: string | null
  expiryDate: string | null
  notes: string | null
  fileType: FileType
  /** When the malware scanner found the file clean. Null when it was not scanned. */
  fileScannedAt: string | null
  patient: {
    id: string
    name: string
    gender: string | null
    dateOfBirth: string | null
    /** In whole years, today. */
    age: number | null
    /** In pounds. */
    weight: number | null
    currentMedications: string | null
    allergies: string | null
    /** Null when none is on file. */
    idDocumentType: FileType | null
    idDocumentScannedAt: string | null
  }
  /** The newest first. */
  orders: ReviewOrder[]
  /** The oldest first. */
  questions: Question[]
}

/** A person's age on a day; both are `YYYY-MM-DD`. */
export function ageOn(today: string, dateOfBirth: string): number {
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years
}
