import type { ScreeningList } from './alert.ts'

/** The rows of the lists that concern a case, as `db/screening` reads them. */

/** Where a label lists a pair. It says where, not how grave. */
export type InteractionLevel = 'critical' | 'significant' | 'contraindicated' | 'boxed' | 'interaction'

/** A row of `interactions-ndfrt` or `interactions-label`. */
export type InteractionFact = {
  /** The same in every edition of the list. */
  id: string
  list: 'interactions-ndfrt' | 'interactions-label'
  /** An ingredient, or a set that one product has: "ABACAVIR + LAMIVUDINE". */
  subject: string
  /** An ingredient or the name of a class. */
  object: string
  objectKind: 'ingredient' | 'class'
  level: InteractionLevel
  sentence: string | null
  setId: string | null
  labelDate: string | null
}

/** A class of `ingredient-classes`: `EPC`, or an `ATC` code of five characters or more. */
export type ClassFact = { ingredient: string; system: 'EPC' | 'ATC'; code: string; name: string }

/** A member of a class that labels name ("NSAIDs"). */
export type ClassMemberFact = { className: string; ingredient: string }

export type AllergyGroupFact = { group: string; ingredient: string }

/** What the label of an ingredient set says about an allergy to another group or an excipient. */
export type AllergyLabelFact = {
  /** "ACLIDINIUM + FORMOTEROL". */
  ingredients: string
  group: string
  sentence: string
  setId: string | null
  labelDate: string | null
}

/** What one label of an ingredient set warns of. A sentence is null when the label has none. */
export type LabelSafetyFact = {
  ingredients: string
  boxedWarning: string | null
  pregnancyContraindicated: string | null
  pregnancyBoxed: string | null
  ageWarning: string | null
  elderlyWarning: string | null
  hasRems: boolean
  hasMedicationGuide: boolean
  setId: string | null
  labelDate: string | null
}

/** What the labels of an application, or of all applications of a set, say of a boxed warning. */
export type BoxedWarningFact = {
  /** An application number or an ingredient set. A set is left out when its labels differ. */
  key: string
  /** Null when the labels were read and have none. */
  warning: string | null
}

export type RecallFact = {
  list: 'recalls' | 'recalls-2023-2025-no-lots' | 'recorded-recalls'
  /** "D-0929-2023", or the id of FDA's dashboard. */
  number: string
  class: string
  status: string
  reason: string
  date: string | null
  /** The dashed package code of the line that it was found by, or the code of its variant. */
  code: string
  isForAllLots: boolean
  /** Whether the report prints lots, and all of them could be read. */
  listsAllLots: boolean
  /** The recalled lots among those of the lines. */
  lots: readonly string[]
}

export type ShortageFact = {
  /** The package that it was found by; null when it was found by the ingredients. */
  ndc: string | null
  ingredients: string
  status: string
  reason: string | null
  date: string | null
}

export type ScreeningFacts = {
  /** The dates of the current lists. */
  listDates: Partial<Record<ScreeningList, string | null>>
  interactions: readonly InteractionFact[]
  classes: readonly ClassFact[]
  classMembers: readonly ClassMemberFact[]
  allergyGroups: readonly AllergyGroupFact[]
  allergyLabels: readonly AllergyLabelFact[]
  labelSafety: readonly LabelSafetyFact[]
  boxedWarnings: readonly BoxedWarningFact[]
  recalls: readonly RecallFact[]
  shortages: readonly ShortageFact[]
}
