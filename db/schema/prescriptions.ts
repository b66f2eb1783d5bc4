import type { PrescriptionStatus } from '#domain/prescriptions/prescriptions.ts'
import type { Generated } from 'kysely'

/** A prescription under review or decided. */
export type PrescriptionsTable = {
  id: string
  /** The number that people read: "Rx 000123". */
  number: number
  userId: string
  /** The dependant it is for; null for the customer. */
  patientId: string | null
  fileId: string
  /** Doctor, dates, notes and the reason for the decision, as JSON sealed for the user. */
  sealedDetails: string
  /** `Transcription` as JSON, sealed for the user. Null until a pharmacist transcribed it. */
  sealedTranscription: string | null
  /** As decided. A prescription past its expiry counts as expired regardless. */
  status: PrescriptionStatus
  decidedBy: string | null
  decidedAt: Date | null
  version: Generated<number>
  uploadedAt: Date
}

/** A question to the customer about a prescription under review, with the answer. */
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
