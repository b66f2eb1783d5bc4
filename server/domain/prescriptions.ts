/** Where a prescription's review stands (decisions, "Prescription status"). */
export const prescriptionStatuses = ['under_review', 'approved', 'rejected', 'expired'] as const
export type PrescriptionStatus = (typeof prescriptionStatuses)[number]
