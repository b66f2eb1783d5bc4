import type { ScreeningFacts } from '#domain/screening/facts.ts'
import type { ScreenedLine } from '#domain/screening/line.ts'
import { unknownPatient, type ScreenedMedication, type ScreenedPatient } from '#domain/screening/patient.ts'

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
