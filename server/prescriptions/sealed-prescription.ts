import type { PrescriptionRow } from '#db/prescriptions/prescriptions.ts'
import { statusOn, type Prescription } from '#domain/prescriptions/prescriptions.ts'
import { z } from 'zod'
import type { KeyRing } from '../crypto/key-ring.ts'
import { bindings } from '../crypto/bindings.ts'
import { seal, unseal } from '../crypto/sealing.ts'

const line = z.string().nullable()

const sealedSchema = z.object({
  doctorName: line,
  prescriptionDate: line,
  expiryDate: line,
  notes: line,
  statusReason: line,
})

/** The parts of a prescription that are health data: the row's sealed JSON. */
export type SealedDetails = z.infer<typeof sealedSchema>

/** @param key the owner's key */
export const sealDetails = (key: KeyRing, id: string, details: SealedDetails): string =>
  seal(key, bindings.prescriptionDetails(id), JSON.stringify(sealedSchema.parse(details)))

/** Decrypts the details. Throws when the row was not sealed with this user's key. */
export const openDetails = (
  key: KeyRing,
  { id, sealedDetails }: Pick<PrescriptionRow, 'id' | 'sealedDetails'>,
): SealedDetails =>
  sealedSchema.parse(JSON.parse(unseal(key, bindings.prescriptionDetails(id), sealedDetails)))

/** A row with its status today. */
export function openPrescription(key: KeyRing, row: PrescriptionRow, now: Date): Prescription {
  const details = openDetails(key, row)
  return {
    id: row.id,
    patientId: row.patientId,
    orderId: row.orderId,
    ...details,
    uploadedAt: row.uploadedAt,
    status: statusOn(now, { status: row.status, expiryDate: details.expiryDate }),
  }
}
