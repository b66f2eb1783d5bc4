import type { findFile } from '#db/files/files.ts'
import { kilogramsFromPounds } from '#domain/accounts/profile-fields.ts'
import { isMinor, type PatientFacts } from '#domain/dispensing/clearance.ts'
import type { CasePatient } from '#domain/dispensing/review-case.ts'
import { hasAnsweredAllergies } from '#domain/patients/patient-view.ts'
import type { Context } from '../context.ts'
import { ageOf, getRecordView } from '../patients/get-record-view.ts'
import type { Patient } from '../patients/read-patients.ts'

/** What clearing needs to know of a patient. */
export const toPatientFacts = (patient: Patient): PatientFacts => ({
  dateOfBirth: patient.dateOfBirth,
  hasAnsweredAllergies: hasAnsweredAllergies(patient.record, patient),
})

/** A patient of a case. The phone number and the ID document are the customer's. */
export async function readCasePatient(
  ctx: Context,
  patient: Patient,
  { phone, idDocument }: { phone: string | null; idDocument: Awaited<ReturnType<typeof findFile>> },
): Promise<CasePatient> {
  const { userId, dateOfBirth, weight } = patient
  return {
    id: userId,
    patientId: patient.id,
    isDependant: !patient.isSelf,
    record: await getRecordView(ctx, patient),
    name: patient.name,
    gender: patient.gender,
    dateOfBirth,
    age: ageOf(ctx, patient),
    weightPounds: weight,
    weightKilograms: weight === null ? null : kilogramsFromPounds(weight),
    weightOn: patient.weightOn,
    isMinor: isMinor(ctx.now, dateOfBirth),
    currentMedications: patient.currentMedications,
    allergies: patient.allergies,
    phone,
    idDocumentType: idDocument?.contentType ?? null,
    idDocumentScannedAt: idDocument?.scannedAt?.toISOString() ?? null,
  }
}
