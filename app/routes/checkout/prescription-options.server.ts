import { statusMessages, type Prescription } from '#domain/prescriptions/prescriptions.ts'

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

export type PrescriptionOption = { id: string; label: string }

/**
 * "Dr. Ada Quillfeather, uploaded Jan 5, 2026 (Approved)": doctor, upload date and review status.
 */
export const prescriptionOptions = (prescriptions: readonly Prescription[]): PrescriptionOption[] =>
  prescriptions.map(({ id, doctorName, uploadedAt, status }) => {
    const uploaded = `ploaded ${dayFormat.format(uploadedAt)}`
    const name = doctorName === null ? `U${uploaded}` : `${doctorName}, u${uploaded}`
    return { id, label: `${name} (${statusMessages[status].label})` }
  })
