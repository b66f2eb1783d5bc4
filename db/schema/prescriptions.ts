import type { PrescriptionStatus } from '#domain/prescriptions/prescriptions.ts'
import type { Generated } from 'kysely'

/** A prescription under review or decided. */
export type PrescriptionsTable = {
  id: string
  userId: string
  fileId: string
  /** Doctor, dates, notes and the reason of a decision as JSON, sealed for the user. */
  sealedDetails: string
  /** As decided; one whose expiry has passed is shown as expired whatever stands here. */
  status: PrescriptionStatus
  decidedBy: string | null
  decidedAt: Date | null
  version: Generated<number>
  uploadedAt: Date
}

/** What the customer was asked about a prescription under review, and what they answered. */
export type PrescriptionQuestionsTable = {
  id: string
  prescriptionId: string
  authorId: string
  createdAt: Date
  /** Both sealed for the prescription's user. */
  sealedQuestion: string
  sealedAnswer: string | null
  answeredAt: Date | null
}
