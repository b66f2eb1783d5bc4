import type { PrescriptionStatus } from '#domain/prescriptions.ts'
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
