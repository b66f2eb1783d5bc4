import type { DosageForm, Category } from '../catalog/catalog.ts'
import type { FileType } from '../files/files.ts'
import type { OrderStatus } from '../orders/order-status.ts'
import type { PrescriptionStatus } from './prescriptions.ts'

/** What the back office shows of prescriptions. All of it is JSON: times are ISO 8601, money is text. Without zod: its page imports it. */

/** What the queue can be narrowed to. A status is the decided one: one whose date has passed since still stands under it. */
export const reviewFilters = {
  under_review: 'Waiting',
  approved: 'Approved',
  rejected: 'Rejected',
  expired: 'Expired',
  all: 'All',
} as const satisfies Record<PrescriptionStatus | 'all', string>
export type ReviewFilter = keyof typeof reviewFilters

export const questionBounds = { question: 1000, answer: 2000 } as const

/** What the last question about a prescription waits for. */
export type QuestionState = 'asked' | 'answered' | null

/** A prescription in the queue. */
export type ReviewRow = {
  id: string
  patientName: string
  /** As it stands today. */
  status: PrescriptionStatus
  uploadedAt: string
  /** Whole days since then. */
  daysWaiting: number
  /** Orders that are paid and not shipped yet. */
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

/** An order that uses the prescription, with what of it needs one first. */
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

/** Everything that a decision rests on. */
export type Review = {
  id: string
  version: number
  /** As it stands today, `expired` included. */
  status: PrescriptionStatus
  /** As it was decided, whatever day it is. */
  decidedStatus: PrescriptionStatus
  statusReason: string | null
  decidedAt: string | null
  /** The name of who decided; null when nobody has or they are gone. */
  decidedBy: string | null
  uploadedAt: string
  doctorName: string | null
  prescriptionDate: string | null
  expiryDate: string | null
  notes: string | null
  fileType: FileType
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
  }
  /** The newest first. */
  orders: ReviewOrder[]
  /** The oldest first. */
  questions: Question[]
}

/** How old somebody is on a day; both are `YYYY-MM-DD`. */
export function ageOn(today: string, dateOfBirth: string): number {
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years
}
