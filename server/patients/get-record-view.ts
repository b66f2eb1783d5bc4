import { utcDay } from '#domain/days.ts'
import { asksAboutPregnancy } from '#domain/patients/patient-record.ts'
import { toRecordView, type RecordView } from '#domain/patients/patient-view.ts'
import { ageOn } from '#domain/accounts/age.ts'
import type { Context } from '../context.ts'
import { readCurrentEntries } from './current-entries.ts'
import type { Patient } from './read-patients.ts'
import { recognizeTexts } from './read-screened-patient.ts'

/** A patient's age in whole years; null when the birth date is unknown. */
export const ageOf = (
  { now }: Pick<Context, 'now'>,
  { dateOfBirth }: Pick<Patient, 'dateOfBirth'>,
): number | null => (dateOfBirth === null ? null : ageOn(utcDay(now), dateOfBirth))

/** A patient's lists and answers, as pages show them. The caller writes the audit row. */
export async function getRecordView(ctx: Pick<Context, 'db' | 'now'>, patient: Patient): Promise<RecordView> {
  const texts = await recognizeTexts(ctx, patient)
  const asks = asksAboutPregnancy({ gender: patient.gender, age: ageOf(ctx, patient) })
  const { record } = patient
  const [medications, allergies] = await Promise.all([
    readCurrentEntries(ctx, 'medications', record.medications),
    readCurrentEntries(ctx, 'allergies', record.allergies),
  ])
  return toRecordView({ ...record, medications, allergies }, texts, asks)
}
