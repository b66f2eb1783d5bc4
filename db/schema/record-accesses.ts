/** A look of the staff into a patient's record without an open case; its reason is in the audit log. */
export type RecordAccessesTable = {
  id: string
  patientId: string
  staffId: string
  createdAt: Date
  expiresAt: Date
}
