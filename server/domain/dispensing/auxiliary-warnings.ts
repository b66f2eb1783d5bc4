/**
 * Warnings that a pharmacist ticks for a label. The shop suggests none: which apply is the
 * pharmacist's decision. Each wording has its source; another one is typed by the pharmacist.
 */
export const auxiliaryWarnings = {
  'with-food': {
    text: 'Take with food.',
    source: 'Davis et al., J Gen Intern Med 2006;21:847 (labels in use)',
  },
  'plenty-of-water': {
    text: 'Take with plenty of water.',
    source: 'Davis et al., J Gen Intern Med 2006;21:847 (labels in use)',
  },
  'swallow-whole': {
    text: 'Swallow whole. Do not chew or crush.',
    source: 'Davis et al., J Gen Intern Med 2006;21:847 (labels in use)',
  },
  sunlight: {
    text: 'Avoid prolonged exposure to sunlight while taking this medicine.',
    source: 'Davis et al., J Gen Intern Med 2006;21:847 (labels in use)',
  },
  skin: {
    text: 'Use only on your skin.',
    source: 'Wolf et al., Arch Intern Med 2010;170:50 (tested with patients)',
  },
  drowsiness: {
    text: 'May cause drowsiness. Use caution when driving a motor vehicle or operating machinery.',
    source: '21 CFR 341.72(c)(3)',
  },
  alcohol: {
    text: 'Avoid alcoholic beverages while taking this medicine.',
    source: '21 CFR 341.72(c)(3)',
  },
  driving: {
    text: 'This medicine may impair your ability to operate a vehicle or vessel.',
    source: 'California Business and Professions Code § 4074(b)',
  },
} as const satisfies Record<string, { text: string; source: string }>
export type WarningId = keyof typeof auxiliaryWarnings
export const warningIds = Object.keys(auxiliaryWarnings) as WarningId[]

/** Storage, in the temperatures of USP's definitions (USP General Notices and chapter <659>). */
export const storageTexts = {
  package: 'Store as directed on the package.',
  room: 'Store at room temperature, 68 to 77 °F (20 to 25 °C).',
  refrigerator: 'Store in a refrigerator, 36 to 46 °F (2 to 8 °C).',
  freezer: 'Store in a freezer, -13 to 14 °F (-25 to -10 °C).',
} as const
export type StorageId = keyof typeof storageTexts
export const storageIds = Object.keys(storageTexts) as StorageId[]
