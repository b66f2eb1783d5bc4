import type { PatientRow } from '#db/patients/patients.ts'
import { emptyRecord, patientRecordSchema, type PatientRecord } from '#domain/patients/patient-record.ts'
import { bindings } from '../crypto/bindings.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'

/** @param key the customer's key, also for their dependants */
export const sealRecord = (key: KeyRing, patientId: string, record: PatientRecord): string =>
  seal(key, bindings.patientRecord(patientId), JSON.stringify(patientRecordSchema.parse(record)))

/** Decrypts a record. Fields that did not exist when it was sealed have their empty value. */
export function openRecord(key: KeyRing, row: Pick<PatientRow, 'id' | 'sealedRecord'>): PatientRecord {
  const stored: unknown = JSON.parse(unseal(key, bindings.patientRecord(row.id), row.sealedRecord))
  return patientRecordSchema.parse({ ...emptyRecord, ...(stored as object) })
}
