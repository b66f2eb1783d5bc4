import type { PatientList } from '#domain/patients/patient-labels.ts'
import type { NameView } from '#domain/patients/patient-view.ts'

/** The names to choose from when a typed name is not clear. */
export type ListChoice = { choice: { list: PatientList; name: string; options: NameView[] } }

type ListLabels = {
  title: string
  /** How the list and the text field above it relate. */
  intro: string
  /** The label of the field that adds to it. */
  add: string
  empty: string
  hint: string
}

export const listLabels = {
  medications: {
    title: 'Medication List',
    intro: 'We check orders against this list and against the names we recognize in “Current medications”.',
    add: 'Add a medication',
    empty: 'No medications listed yet.',
    hint: 'A brand or ingredient. Include over-the-counter medicines and supplements.',
  },
  allergies: {
    title: 'Allergy List',
    intro: 'We check orders against this list and against the names we recognize in “Allergies”.',
    add: 'Add an allergy',
    empty: 'No allergies listed yet.',
    hint: 'A medicine, an ingredient or a group, such as penicillins',
  },
} as const satisfies Record<PatientList, ListLabels>

/** The list's place on the page, which redirects return to. */
export const listSectionId = (list: PatientList): string =>
  list === 'medications' ? 'medication-list' : 'allergy-list'
