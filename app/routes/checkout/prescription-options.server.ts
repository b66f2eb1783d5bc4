import { formatDay } from '#domain/format-day.ts'
import { formatMoment } from '#domain/format-moment.ts'
import { statusMessages } from '#domain/prescriptions/prescriptions.ts'
import type { UsablePrescription } from '#server/checkout/get-checkout-view.ts'

export type PrescriptionOption = Pick<UsablePrescription, 'id' | 'isTranscribed' | 'patientId'> & {
  label: string
}

/**
 * "Dr. Ada Quillfeather, uploaded Jan 5, 2026 (Approved)": doctor, upload date and review status.
 * Prescriptions that these don't tell apart have the time of the upload.
 */
export const prescriptionOptions = (prescriptions: readonly UsablePrescription[]): PrescriptionOption[] => {
  const labels = prescriptions.map((each) => labelOf(each, formatDay(each.uploadedAt.toISOString())))
  return prescriptions.map((each, index) => {
    const { id, isTranscribed, patientId, uploadedAt } = each
    const label = labels[index] ?? ''
    const isUnique = labels.filter((other) => other === label).length === 1
    return {
      id,
      isTranscribed,
      patientId,
      label: isUnique ? label : labelOf(each, formatMoment(uploadedAt)),
    }
  })
}

function labelOf({ doctorName, status, dependantName }: UsablePrescription, at: string): string {
  const name = doctorName === null ? `Uploaded ${at}` : `${doctorName}, uploaded ${at}`
  const whom = dependantName === null ? '' : `For ${dependantName}: `
  return `${whom}${name} (${statusMessages[status].label})`
}
