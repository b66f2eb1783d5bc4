/** A look of the staff into a patient's record without an open case. The audit has its reason. */
export type RecordAccessesTable = {
  id: string
  patientId: string
  staffId: string
  createdAt: Date
  expiresAt: Date
}
