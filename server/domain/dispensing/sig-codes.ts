import type { DosageForm } from '../catalog/catalog.ts'

/**
 * The codes that prescribers write directions with, and their words. Expansion adds nothing else,
 * so a code is here only with a source:
 *
 * - FDA Consumer 11(17), 1976: the list of prescription abbreviations (ac, caps, gtt, pc, po, prn,
 *   q4h, qid, tid, bid).
 * - HL7 v3 GTSAbbreviation, https://terminology.hl7.org/CodeSystem/v3-GTSAbbreviation (AM, BID,
 *   Q4H).
 * - PTCB order entry guide,
 *   https://uniontestprep.com/ptcb-exam/study-guide/order-entry-and-processing (routes).
 *
 * Numbers stand as numerals, as USP General Chapter <17> asks of prescription labels.
 */

type SigUnit = { one: string; many: string; verb: string | null }

/** Units of a dose. `verb` begins the directions; null when the route or the form decides. */
export const sigUnits = {
  tablet: { one: 'tablet', many: 'tablets', verb: null },
  capsule: { one: 'capsule', many: 'capsules', verb: null },
  drop: { one: 'drop', many: 'drops', verb: 'Place' },
  puff: { one: 'puff', many: 'puffs', verb: 'Inhale' },
  spray: { one: 'spray', many: 'sprays', verb: 'Use' },
  patch: { one: 'patch', many: 'patches', verb: 'Apply' },
  suppository: { one: 'suppository', many: 'suppositories', verb: 'Insert' },
  lozenge: { one: 'lozenge', many: 'lozenges', verb: null },
  packet: { one: 'packet', many: 'packets', verb: null },
  applicatorful: { one: 'applicatorful', many: 'applicatorfuls', verb: 'Insert' },
  unit: { one: 'unit', many: 'units', verb: null },
  mg: { one: 'mg', many: 'mg', verb: null },
  mcg: { one: 'mcg', many: 'mcg', verb: null },
  g: { one: 'g', many: 'g', verb: null },
  mL: { one: 'mL', many: 'mL', verb: null },
} as const satisfies Record<string, SigUnit>
export type SigUnitName = keyof typeof sigUnits

/** Codes and words of units. `mL` is matched with its case, because ISMP lists `ml`. */
export const unitCodes: Readonly<Record<string, SigUnitName>> = {
  tab: 'tablet',
  tabs: 'tablet',
  tablet: 'tablet',
  tablets: 'tablet',
  cap: 'capsule',
  caps: 'capsule',
  capsule: 'capsule',
  capsules: 'capsule',
  gtt: 'drop',
  gtts: 'drop',
  drop: 'drop',
  drops: 'drop',
  puff: 'puff',
  puffs: 'puff',
  spray: 'spray',
  sprays: 'spray',
  patch: 'patch',
  patches: 'patch',
  supp: 'suppository',
  suppository: 'suppository',
  suppositories: 'suppository',
  lozenge: 'lozenge',
  lozenges: 'lozenge',
  packet: 'packet',
  packets: 'packet',
  applicatorful: 'applicatorful',
  applicatorfuls: 'applicatorful',
  unit: 'unit',
  units: 'unit',
  mg: 'mg',
  mcg: 'mcg',
  g: 'g',
}

/** Units of which half is said in words too. */
export const countedUnits: ReadonlySet<SigUnitName> = new Set(['tablet', 'patch', 'suppository', 'packet'])

/** A code that stands for words. `verb` begins the directions when the dose's unit has none. */
export type SigCode = { words: string; verb?: string }

export const sigCodes: Readonly<Record<string, SigCode>> = {
  // Routes.
  po: { words: 'by mouth', verb: 'Take' },
  sl: { words: 'under the tongue', verb: 'Place' },
  bucc: { words: 'inside the cheek', verb: 'Place' },
  top: { words: 'to the skin', verb: 'Apply' },
  aaa: { words: 'to the affected area', verb: 'Apply' },
  inh: { words: 'by inhalation', verb: 'Inhale' },
  neb: { words: 'by nebulizer', verb: 'Inhale' },
  nas: { words: 'in the nose', verb: 'Use' },
  subcut: { words: 'under the skin', verb: 'Inject' },
  im: { words: 'into a muscle', verb: 'Inject' },
  pr: { words: 'into the rectum', verb: 'Insert' },
  pv: { words: 'into the vagina', verb: 'Insert' },
  // How often.
  bid: { words: 'twice a day' },
  tid: { words: '3 times a day' },
  qid: { words: '4 times a day' },
  qh: { words: 'every hour' },
  qam: { words: 'every morning' },
  qpm: { words: 'every evening' },
  qwk: { words: 'every week' },
  // When.
  am: { words: 'in the morning' },
  pm: { words: 'in the evening' },
  ac: { words: 'before meals' },
  pc: { words: 'after meals' },
  prn: { words: 'as needed' },
  stat: { words: 'right away' },
}

/** How directions begin when neither the dose's unit nor the route says it. */
export const formVerbs: Readonly<Record<DosageForm, string>> = {
  tablet: 'Take',
  capsule: 'Take',
  liquid: 'Take',
  syrup: 'Take',
  cream: 'Apply',
  ointment: 'Apply',
  gel: 'Apply',
  injection: 'Inject',
  inhaler: 'Inhale',
  patch: 'Apply',
  suppository: 'Insert',
}

/** A code that expansion leaves as typed, and what to write instead. */
export type ErrorProneCode = { code: string; writeInstead: string }

/**
 * The codes of directions on ISMP's list, which has reports of harm for each: Institute for Safe
 * Medication Practices, ISMP List of Error-Prone Abbreviations, Symbols, and Dose Designations,
 * 2021, https://www.ismp.org/recommendations/error-prone-abbreviations-list. The Joint Commission's
 * "Do Not Use" list (IM.02.02.01) is part of it. Their meaning is never guessed.
 *
 * A key in capitals is matched with its case: `IN` is a code, and "in" a word.
 */
export const errorProneCodes: Readonly<Record<string, string>> = {
  u: 'units',
  iu: 'units',
  cc: 'mL',
  ml: 'mL',
  l: 'L',
  m: 'thousand or million',
  mm: 'million',
  k: 'thousand',
  ng: 'nanogram',
  µg: 'mcg',
  μg: 'mcg',
  ug: 'mcg',
  ad: 'right ear',
  as: 'left ear',
  au: 'each ear',
  od: 'daily, or right eye',
  os: 'left eye',
  ou: 'each eye',
  ij: 'injection',
  IN: 'in the nose',
  IT: 'the route in words',
  sc: 'subcut',
  sq: 'subcut',
  subq: 'subcut',
  hs: 'at bedtime, or half-strength',
  qhs: 'at bedtime',
  qn: 'nightly',
  qd: 'daily',
  qod: 'every other day',
  q1d: 'daily',
  tiw: '3 times weekly',
  biw: '2 times weekly',
  ud: 'as directed',
  bt: 'at bedtime',
  'd/c': 'stop, or discharge',
  oj: 'orange juice',
  ss: 'half, or sliding scale',
  ssi: 'sliding scale',
  ssri: 'sliding scale insulin',
  'i/d': '1 daily',
  gr: 'the dose in metric units',
  dr: 'the dose in metric units',
  ms: 'the medicine’s full name',
  mso4: 'morphine sulfate',
  mgso4: 'magnesium sulfate',
  '@': 'at',
  '&': 'and',
  '+': 'and',
  '>': 'more than',
  '<': 'less than',
  '°': 'hours',
  '½': '0.5 (half)',
  '1/2': '0.5 (half)',
}

/**
 * Phrases whose words would be codes alone ("as needed" has ISMP's `as`), in the words to print.
 */
export const sigPhrases: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^as (needed|directed|prescribed|tolerated|instructed)\b/i, 'as $1'],
  [/^ut dict\b\.?/i, 'as directed'],
  [/^(?:in |into |to )?(?:the )?(right|left) (eye|ear|nostril)\b/i, 'in the $1 $2'],
  [/^(?:in |into |to )?(?:each|both) (?:of the )?(eye|ear|nostril)s?\b/i, 'in each $1'],
]
