import { paths } from '#domain/paths.ts'
import type { Prescription } from '#domain/prescriptions/prescriptions.ts'

/** Where a prescription's file is read. */
export const prescriptionFileHref = (id: string): string => paths.api.prescriptionFile(id)

/** A prescription on the wire (specification, section 3, with the status of the decisions). */
export const prescriptionReply = <Said extends Prescription>({ id, uploadedAt, ...prescription }: Said) => ({
  id,
  ...prescription,
  uploadedAt: uploadedAt.toISOString(),
  fileUrl: prescriptionFileHref(id),
})
