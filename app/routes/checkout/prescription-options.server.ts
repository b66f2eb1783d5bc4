import { formatDay } from '#domain/format-day.ts'
import { statusMessages } from '#domain/prescriptions/prescriptions.ts'
import type { UsablePrescription } from '#server/checkout/get-checkout-view.ts'

export type PrescriptionOption = Pick<UsablePrescription, 'id' | 'isTranscribed' | 'patientId'> & {
  label: string
}

/**
 * "Dr. Ada Quillfeather, uploaded Jan 5, 2026 (Approved)": doctor, upload date and review status.
 */
export const prescriptionOptions = (prescriptions: readonly UsablePrescription[]): PrescriptionOption[] =>
  prescriptions.map(({ id, doctorName, uploadedAt, status, isTranscribed, patientId, dependantName }) => {
    const uploaded = `ploaded ${formatDay(uploadedAt.toISOString())}`
    const name = doctorName === null ? `U${uploaded}` : `${doctorName}, u${uploaded}`
    const whom = dependantName === null ? '' : `For ${dependantName}: `
    return { id, isTranscribed, patientId, label: `${whom}${name} (${statusMessages[status].label})` }
  })
