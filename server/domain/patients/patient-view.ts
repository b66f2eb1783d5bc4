import { readable, readableGroup, type MedicineName } from '../screening/medicine-names.ts'
import type { Recognition } from '../screening/recognize-text.ts'
import type { PatientList, YesOrNo } from './patient-labels.ts'
import {
  isUnchecked,
  listUnconfirmed,
  type ReadText,
  meaningId,
  meaningOf,
  type PatientEntry,
  type PatientRecord,
} from './patient-record.ts'

/** An entry of a list, as pages show it. */
export type EntryView = {
  id: string
  name: string
  /** "Warfarin" for Coumadin; null when the name says it already. */
  detail: string | null
  /** Whether no list knows the name. */
  isUnchecked: boolean
}

/** A name to choose or to confirm. */
export type NameView = {
  label: string
  detail: string | null
  /** What a form sends back to choose it. */
  meaning: string
}

/** A list with what the free text beside it says. */
export type ListView = {
  entries: EntryView[]
  /** What the text names and the list does not have. */
  recognized: NameView[]
  /** What of the text no list knows. */
  notChecked: string[]
  /** Whether the text says that there are none. */
  saysNone: boolean
}

/** What a record says about medications, allergies and pregnancy. */
export type RecordView = {
  medications: ListView
  allergies: ListView
  noKnownAllergies: boolean
  /** Null when it is not asked. */
  pregnancy: { pregnant: YesOrNo | null; breastfeeding: YesOrNo | null; answeredOn: string | null } | null
}

type Meaning = Pick<PatientEntry, 'ingredients' | 'groups'>

const describe = (name: string, { ingredients, groups }: Meaning): string | null => {
  const text = [...groups.map(readableGroup), ...ingredients.map(readable)].join(', ')
  return text === '' || text.toLowerCase() === name.toLowerCase() ? null : text
}

export const toNameView = (list: PatientList, name: MedicineName): NameView => {
  const meaning = meaningOf(name)
  return {
    label: name.label,
    detail: describe(name.label, meaning),
    meaning: meaningId(list, meaning),
  }
}

const toListView = (record: PatientRecord, list: PatientList, text: Recognition & ReadText): ListView => ({
  entries: record[list].map((entry) => ({
    id: entry.id,
    name: entry.name,
    detail: describe(entry.name, entry),
    isUnchecked: isUnchecked(entry),
  })),
  recognized: listUnconfirmed(record, list, text).map((name) => toNameView(list, name)),
  notChecked: text.notChecked,
  saysNone: text.saysNone,
})

export const toRecordView = (
  record: PatientRecord,
  texts: Record<PatientList, Recognition & ReadText>,
  asksPregnancy: boolean,
): RecordView => ({
  medications: toListView(record, 'medications', texts.medications),
  allergies: toListView(record, 'allergies', texts.allergies),
  noKnownAllergies: record.noKnownAllergies,
  pregnancy:
    asksPregnancy || record.pregnant === 'yes' || record.breastfeeding === 'yes'
      ? {
          pregnant: record.pregnant,
          breastfeeding: record.breastfeeding,
          answeredOn: record.answeredOn,
        }
      : null,
})

/** Whether the patient has answered about allergies, in the list or in the text. */
export const hasAnsweredAllergies = (
  record: PatientRecord,
  { allergies }: { allergies: string | null },
): boolean => allergies !== null || record.noKnownAllergies || record.allergies.length > 0
