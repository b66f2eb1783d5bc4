import { z } from 'zod'
import { genders } from '../accounts/accounts.ts'
import { yesOrNo, type PatientList, type YesOrNo } from './patient-labels.ts'
import type { Recognized } from '../screening/recognize-text.ts'
import type { MedicineName } from '../screening/medicine-names.ts'

const day = z.iso.date()
const text = z.string().nullable()

/** Something that the patient takes or reacts to. */
const entrySchema = z.object({
  id: z.string(),
  /** As the patient picked it, or typed it where no list knows the name. */
  name: z.string(),
  /** Ingredient keys, sorted. */
  ingredients: z.array(z.string()),
  /** Allergy groups of the lists, sorted. Medications have none. */
  groups: z.array(z.string()),
  addedOn: day,
})
export type PatientEntry = z.infer<typeof entrySchema>

/** Whether an entry cannot be checked, because no list knows its name. */
export const isUnchecked = ({ ingredients, groups }: Pick<PatientEntry, 'ingredients' | 'groups'>): boolean =>
  ingredients.length + groups.length === 0

/** Someone a customer cares for: what the profile says about the customer. */
const dependantSchema = z.object({
  firstName: z.string(),
  lastName: text,
  dateOfBirth: text,
  gender: z.enum(genders).nullable(),
  /** In pounds. */
  weight: z.number().nullable(),
  weightOn: day.nullable(),
  currentMedications: text,
  allergies: text,
})
export type Dependant = z.infer<typeof dependantSchema>

/** A patient's record, the row's sealed JSON. */
export const patientRecordSchema = z.object({
  medications: z.array(entrySchema),
  allergies: z.array(entrySchema),
  noKnownAllergies: z.boolean(),
  /** What the free texts name but the patient removed, by `meaningId`. */
  dismissed: z.array(z.string()),
  /** The texts that it was removed from. In another text, the name counts again. */
  dismissedTexts: z.object({ medications: text, allergies: text }),
  pregnant: z.enum(yesOrNo).nullable(),
  breastfeeding: z.enum(yesOrNo).nullable(),
  /** The day of the last answer to either. */
  answeredOn: day.nullable(),
  /** Null for the customer, whose profile has these. */
  dependant: dependantSchema.nullable(),
})
export type PatientRecord = z.infer<typeof patientRecordSchema>

export const emptyRecord: PatientRecord = {
  medications: [],
  allergies: [],
  noKnownAllergies: false,
  dismissed: [],
  dismissedTexts: { medications: null, allergies: null },
  pregnant: null,
  breastfeeding: null,
  answeredOn: null,
  dependant: null,
}

export const patientBounds = { entries: 100, name: 200, dependants: 20, dismissed: 300 } as const

type Meaning = Pick<PatientEntry, 'ingredients' | 'groups'>

/** What a recognized name means for a record. */
export const meaningOf = ({ kind, meanings }: MedicineName): Meaning =>
  kind === 'group' ? { ingredients: [], groups: [...meanings] } : { ingredients: [...meanings], groups: [] }

/** The same for two names of the same thing. */
export const meaningId = (list: PatientList, { ingredients, groups }: Meaning): string =>
  `${list}|${ingredients.join(' + ')}|${groups.join(' + ')}`

const isSame = (list: PatientList, one: PatientEntry, other: PatientEntry): boolean =>
  isUnchecked(one) || isUnchecked(other)
    ? one.name.toLowerCase() === other.name.toLowerCase()
    : meaningId(list, one) === meaningId(list, other)

/**
 * Adds an entry. One that means the same as another replaces nothing; null when the list is full.
 * An allergy ends "No known allergies", and what was dismissed before counts again.
 */
export function addEntry(
  record: PatientRecord,
  list: PatientList,
  entry: PatientEntry,
): PatientRecord | null {
  const entries = record[list]
  const isKnown = entries.some((other) => isSame(list, other, entry))
  if (!isKnown && entries.length >= patientBounds.entries) return null
  return {
    ...record,
    [list]: isKnown ? entries : [...entries, entry],
    noKnownAllergies: list === 'allergies' ? false : record.noKnownAllergies,
    dismissed: record.dismissed.filter((id) => id !== meaningId(list, entry)),
  }
}

/**
 * Removes an entry. What the free text names stays removed, too: the patient says that it does not
 * count. When the text changes, what it names counts again.
 */
export function removeEntry(
  record: PatientRecord,
  list: PatientList,
  { entryId, text }: { entryId: string; text: string | null },
): PatientRecord {
  const removed = record[list].filter(({ id }) => id === entryId)
  const left = { ...record, [list]: record[list].filter(({ id }) => id !== entryId) }
  return removed.reduce(
    (all, entry) => (isUnchecked(entry) ? all : dismiss(all, list, { meaning: entry, text })),
    left,
  )
}

/** Drops a name from what this free text says. */
export function dismiss(
  record: PatientRecord,
  list: PatientList,
  { meaning, text }: { meaning: Meaning; text: string | null },
): PatientRecord {
  const id = meaningId(list, meaning)
  const isSameText = record.dismissedTexts[list] === text
  const others = record.dismissed.filter(
    (other) => other !== id && (isSameText || !other.startsWith(`${list}|`)),
  )
  return {
    ...record,
    dismissed: [...others, id].slice(-patientBounds.dismissed),
    dismissedTexts: { ...record.dismissedTexts, [list]: text },
  }
}

/** A free text with the names that were found in it. */
export type ReadText = { text: string | null; found: readonly Recognized[] }

/** What the free text names and the patient neither listed nor removed from it. */
export const listUnconfirmed = (
  record: PatientRecord,
  list: PatientList,
  { text, found }: ReadText,
): Recognized[] =>
  found.filter((name) => {
    const meaning = meaningOf(name)
    const isDismissed =
      record.dismissedTexts[list] === text && record.dismissed.includes(meaningId(list, meaning))
    return (
      !isDismissed &&
      !record[list].some((entry) => isSame(list, entry, { ...entry, ...meaning, name: name.label }))
    )
  })

/**
 * Whether the pregnancy questions concern someone: everyone who is not a man, from 10 to 60. It is
 * the shop's choice of whom to ask, not a medical limit; an unknown age asks.
 */
export const asksAboutPregnancy = ({ gender, age }: { gender: string | null; age: number | null }): boolean =>
  gender !== 'male' && (age === null || (age >= 10 && age <= 60))

/** As the screening reads an answer: null where there is none. */
export const toBoolean = (answer: YesOrNo | null): boolean | null =>
  answer === null || answer === 'prefer_not_to_say' ? null : answer === 'yes'
