/** What the screening reports. */

/** Worst first. Alerts are ordered by it. */
export const alertLevels = ['high', 'medium', 'low', 'information'] as const
export type AlertLevel = (typeof alertLevels)[number]

/** In the order of harm within a level. */
export const alertKinds = [
  'recall',
  'allergy',
  'interaction',
  'same-ingredient',
  'pregnancy',
  'age',
  'same-class',
  'boxed-warning',
  'rems',
  'medication-guide',
  'dose',
  'shortage',
] as const
export type AlertKind = (typeof alertKinds)[number]

/** The lists by the names under which the import stores them. */
export const screeningLists = [
  'ingredient-names',
  'ingredient-classes',
  'interactions-ndfrt',
  'interactions-label',
  'interaction-class-members',
  'allergy-groups',
  'allergy-label',
  'label-safety',
  'boxed-warnings',
  'recalls',
  'recalls-2023-2025-no-lots',
  'recorded-recalls',
  'shortages',
] as const
export type ScreeningList = (typeof screeningLists)[number]

/** One of the things that an alert is about, as the page names it. */
export type AlertItem =
  | { kind: 'line'; id: string; name: string }
  | { kind: 'listed' | 'dispensed' | 'ordered'; name: string }
  | { kind: 'allergy'; name: string }
  /** A fact of the patient's record: "pregnant", "7 years old". */
  | { kind: 'patient'; name: string }

/** A side of an alert: what the list names, and the items of the case that have it. */
export type AlertSide = {
  /** "WARFARIN", "ABACAVIR + LAMIVUDINE", an allergy's group. Empty for a patient's fact. */
  key: string
  items: readonly AlertItem[]
  /** The items' ingredient sets, where `key` does not say them: of the same ingredient twice. */
  sets?: readonly string[]
  /** The prescription items that they are on, where a decision covers only these. */
  itemIds?: readonly string[]
}

/** Where an alert comes from. */
export type AlertSource = {
  list: ScreeningList
  /** `YYYY-MM-DD` of the list. Null when the import did not record it. */
  listDate: string | null
  /**
   * What the list says about the pair: NDF-RT's grade, the place in the label, the class. Never
   * "severity": a place in a label is none.
   */
  grade: string
  /** Whose label it is ("ABACAVIR"), or null for a list without labels. */
  labelOf: string | null
  /** The class by which the label means the other medicine ("NSAIDs"). Null when it is named. */
  className: string | null
  /** The label's own words, when they can be quoted; else null. */
  sentence: string | null
  /** The label's set id, for the link to DailyMed. */
  setId: string | null
  /** `YYYY-MM-DD` of the label. */
  labelDate: string | null
  /** Identifies the row, to mark it as wrong. Null where a row cannot be wrong alone. */
  rowKey: string | null
}

/** What an alert keeps from happening until someone acts. */
export type AlertEffect =
  /** The stock must not leave. */
  | 'block'
  /** Someone looks at the pack and records it before it leaves. */
  | 'check-pack'
  | null

export type Alert = {
  /** Stable over fills and imports: decisions are remembered by it. */
  key: string
  kind: AlertKind
  level: AlertLevel
  /** Shown only when opened: beyond the first three, by class only, or turned down by an admin. */
  isFolded: boolean
  /** `staff`: customers do not see it. */
  audience: 'everyone' | 'staff'
  effect: AlertEffect
  first: AlertSide
  /** Null when the alert is about one thing: a boxed warning, a recall. */
  second: AlertSide | null
  /**
   * What the two have in common or the figure: the class's name, the allergy's group, "60 mg a
   * day", the recall's reason. Empty when the sources say all.
   */
  detail: string
  /** The most severe first. Empty only for a figure of the line itself. */
  sources: readonly AlertSource[]
}

/** What the lists could not check. The shop never says "safe". */
export type NotChecked =
  | { kind: 'medication' | 'allergy' | 'line'; name: string }
  | { kind: 'breastfeeding' | 'weight' }

export type Screening = { alerts: readonly Alert[]; notChecked: readonly NotChecked[] }

/** Whether a pharmacist decides on the alert before the line is cleared. */
export const needsDecision = ({ level }: Pick<Alert, 'level'>): boolean => level === 'high'

/** The page of a label at DailyMed. */
export const dailyMedUrl = (setId: string): string =>
  `https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid=${encodeURIComponent(setId)}`

/** The detail of an alert about age while the patient's is unknown. */
export const unknownAge = 'age unknown'
