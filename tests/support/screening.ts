import type { Alert, AlertSource } from '#domain/screening/alert.ts'
import type { InteractionFact, LabelSafetyFact, RecallFact, ScreeningFacts } from '#domain/screening/facts.ts'
import { variantCode } from '#domain/screening/recall-codes.ts'
import type { ScreenedLine } from '#domain/screening/line.ts'
import { unknownPatient, type ScreenedMedication, type ScreenedPatient } from '#domain/screening/patient.ts'
import { screen, type ScreeningInput } from '#domain/screening/screen.ts'

/** A line of these ingredients, taken by mouth. */
export const lineOf = (
  ingredients: readonly string[],
  changes: Partial<ScreenedLine> = {},
): ScreenedLine => ({
  id: ingredients.join(),
  name: ingredients.join(' + '),
  variantId: ingredients.join(),
  ingredients,
  isIncomplete: false,
  route: 'oral',
  strength: '',
  ndc: null,
  shopCodes: [variantCode(changes.variantId ?? ingredients.join())],
  applicationNumber: null,
  itemId: null,
  fill: null,
  lots: null,
  ...changes,
})

/** What a patient says they take. */
export const medicationOf = (
  ingredients: readonly string[],
  changes: Partial<ScreenedMedication> = {},
): ScreenedMedication => ({
  name: ingredients.join(' + '),
  ingredients,
  route: null,
  source: 'listed',
  ...changes,
})

export const patientWith = (changes: Partial<ScreenedPatient>): ScreenedPatient => ({
  ...unknownPatient,
  ...changes,
})

/** Facts of no list. */
export const factsWith = (changes: Partial<ScreeningFacts>): ScreeningFacts => ({
  listDates: {},
  interactions: [],
  classes: [],
  classMembers: [],
  allergyGroups: [],
  allergyLabels: [],
  labelSafety: [],
  boxedWarnings: [],
  recalls: [],
  shortages: [],
  ...changes,
})

/** The day on which the cases of tests are screened. */
export const today = '2026-11-22'

/** What these facts say about a case without lines and an unknown patient, with these changes. */
export const alertsOf = (
  {
    patient = {},
    medications = [],
    ...input
  }: Partial<Omit<ScreeningInput, 'patient'>> & {
    patient?: Partial<ScreenedPatient>
    medications?: readonly ScreenedMedication[]
  },
  facts: Partial<ScreeningFacts>,
): readonly Alert[] =>
  screen({ lines: [], today, ...input, patient: patientWith({ medications, ...patient }) }, factsWith(facts))
    .alerts

/** "high interaction:A|B" of each alert, folded ones in parentheses. */
export const brief = (alerts: readonly Alert[]): string[] =>
  alerts.map(({ level, key, isFolded }) => (isFolded ? `(${level} ${key})` : `${level} ${key}`))

/** What a source says that has only a list. */
export const noSource: Omit<AlertSource, 'list'> = {
  listDate: null,
  grade: '',
  labelOf: null,
  className: null,
  sentence: null,
  setId: null,
  labelDate: null,
  rowKey: null,
}

const namedLine = (name: string): ScreenedLine => lineOf([name], { name: `Line ${name}` })
// Lines of the ingredients X, Y and Z.
export const x = namedLine('X')
export const y = namedLine('Y')
export const z = namedLine('Z')

/** How an alert names the line of this ingredient. */
export const itemOf = (name: string) => ({ kind: 'line', id: name, name: `Line ${name}` })

/** An interaction that a label names. */
export const pairOf = (
  subject: string,
  object: string,
  changes: Partial<InteractionFact> = {},
): InteractionFact => ({
  id: `${subject}>${object}`,
  list: 'interactions-label',
  subject,
  object,
  objectKind: 'ingredient',
  level: 'interaction',
  sentence: null,
  setId: null,
  labelDate: null,
  ...changes,
})

/** What the label of these ingredients says when it warns of nothing. */
export const labelOf = (ingredients: string, changes: Partial<LabelSafetyFact> = {}): LabelSafetyFact => ({
  ingredients,
  boxedWarning: null,
  pregnancyContraindicated: null,
  pregnancyBoxed: null,
  ageWarning: null,
  elderlyWarning: null,
  hasRems: false,
  hasMedicationGuide: false,
  setId: 's1',
  labelDate: '2024-01-01',
  ...changes,
})

/** An ongoing recall of these lots of the package 1-2-3. */
export const recallOf = (lots: readonly string[]): RecallFact => ({
  list: 'recalls',
  number: 'D-1',
  class: 'II',
  status: 'Ongoing',
  reason: 'Failed dissolution',
  date: '2023-06-21',
  code: '1-2-3',
  isForAllLots: false,
  listsAllLots: true,
  lots: [...lots],
})
