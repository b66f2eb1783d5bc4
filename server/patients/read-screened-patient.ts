import { utcDay } from '#domain/days.ts'
import type { PatientList } from '#domain/patients/patient-labels.ts'
import {
  asksAboutPregnancy,
  listUnconfirmed,
  meaningOf,
  toBoolean,
  type ReadText,
} from '#domain/patients/patient-record.ts'
import { ageOn } from '#domain/accounts/age.ts'
import type { Recognition } from '#domain/screening/recognize-text.ts'
import type { ScreenedAllergy, ScreenedPatient } from '#domain/screening/patient.ts'
import type { Context } from '../context.ts'
import { readCurrentEntries } from './current-entries.ts'
import { recognize } from '../screening/medicine-names.ts'
import type { Patient } from './read-patients.ts'

const nothing: Recognition = { found: [], notChecked: [], saysNone: false }

/** What a patient's free texts name. */
export async function recognizeTexts(
  ctx: Pick<Context, 'db'>,
  patient: Pick<Patient, 'currentMedications' | 'allergies'>,
): Promise<Record<PatientList, Recognition & ReadText>> {
  const texts = { medications: patient.currentMedications, allergies: patient.allergies }
  const read = async (list: PatientList): Promise<Recognition & ReadText> => {
    const text = texts[list]
    return { text, ...(text === null ? nothing : await recognize(ctx, list, text)) }
  }
  const [medications, allergies] = await Promise.all([read('medications'), read('allergies')])
  return { medications, allergies }
}

/**
 * A patient as the screening sees them, without what the shop dispensed. What a free text names
 * counts until the patient removes it: a warning too many is better than one too few. Unrecorded:
 * the caller writes the audit row.
 */
export async function readScreenedPatient(
  ctx: Pick<Context, 'db' | 'now'>,
  patient: Patient,
): Promise<ScreenedPatient> {
  const { record, dateOfBirth, gender } = patient
  const age = dateOfBirth === null ? null : ageOn(utcDay(ctx.now), dateOfBirth)
  const concerns = asksAboutPregnancy({ gender, age })
  const answerOf = (name: 'pregnant' | 'breastfeeding'): boolean | null =>
    concerns || record[name] === 'yes' ? toBoolean(record[name]) : false
  const texts = await recognizeTexts(ctx, patient)
  const unconfirmed = (list: PatientList) =>
    listUnconfirmed(record, list, texts[list]).map((name) => ({
      name: name.label,
      ...meaningOf(name),
    }))
  const notChecked = (list: PatientList) =>
    texts[list].notChecked.map((name) => ({ name, ingredients: [], groups: [] }))
  const [medications, allergies] = await Promise.all([
    readCurrentEntries(ctx, 'medications', record.medications),
    readCurrentEntries(ctx, 'allergies', record.allergies),
  ])
  const entries = { medications, allergies }
  const lost = (list: PatientList) =>
    entries[list].flatMap(({ name, isLost }) => (isLost ? [{ name, ingredients: [], groups: [] }] : []))
  const listed = (list: PatientList) => [
    ...entries[list],
    ...lost(list),
    ...unconfirmed(list),
    ...notChecked(list),
  ]
  return {
    medications: listed('medications').map(({ name, ingredients }) => ({
      name,
      ingredients,
      route: null,
      source: 'listed',
    })),
    allergies: listed('allergies').flatMap(({ name, ingredients, groups }): ScreenedAllergy[] =>
      ingredients.length + groups.length === 0
        ? [{ name, kind: 'unrecognized', key: '' }]
        : [
            ...groups.map((key) => ({ name, kind: 'group' as const, key })),
            ...ingredients.map((key) => ({ name, kind: 'ingredient' as const, key })),
          ],
    ),
    pregnant: answerOf('pregnant'),
    breastfeeding: answerOf('breastfeeding'),
    birthDate: dateOfBirth,
    weight: patient.weight,
  }
}
