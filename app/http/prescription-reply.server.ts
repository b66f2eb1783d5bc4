import { paths } from '#domain/paths.ts'
import type { Prescription } from '#domain/prescriptions/prescriptions.ts'

/** The URL of a prescription's file. */
export const prescriptionFileHref = (id: string): string => paths.api.prescriptionFile(id)

/**
 * A prescription in /api responses (specification, section 3; settled decisions, "Prescription
 * status").
 */
export const prescriptionReply = <Row extends Prescription>({
  id,
  uploadedAt,
  patientId: _patientId,
  ...prescription
}: Row) => ({
  id,
  ...prescription,
  uploadedAt: uploadedAt.toISOString(),
  fileUrl: prescriptionFileHref(id),
})
