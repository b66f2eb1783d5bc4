import type { LabelChoices } from './label-choices.ts'

/** What a pharmacy prints and records for one dispensed line (docs/dispensing.md). */

/**
 * The statement of 21 CFR 209.10(a), to the letter. At least 6 points on the container's label, and
 * 10 points on a sheet of its own (209.10(b)).
 */
export const sideEffectsStatement =
  'Call your doctor for medical advice about side effects. You may report side effects to FDA at 1-800-FDA-1088.'

/** What an FDA label says of a set of ingredients. `isRead` is false when the list has none. */
export type LabelFlags = {
  isRead: boolean
  hasGuide: boolean
  hasRems: boolean
  /** The label's number in DailyMed, and its date. */
  setId: string | null
  effective: string | null
}

export const noLabelRead: LabelFlags = {
  isRead: false,
  hasGuide: false,
  hasRems: false,
  setId: null,
  effective: null,
}

export type LabelPharmacy = {
  name: string
  /** Street, city, region and country, one line each. */
  addressLines: string[]
  phone: string | null
  licenseNumber: string
}

/** Everything that a dispensing label prints. Days are YYYY-MM-DD. */
export type DispensingLabel = {
  orderId: string
  lineId: string
  /** "Rx 000123". */
  rxNumber: string
  patientName: string
  medicine: {
    name: string
    brandName: string | null
    strength: string
    form: string
    /** Null when the directory names none. */
    labeler: string | null
    /** "NDC 0228-2899-96". */
    identifier: string | null
  }
  /** The brand that was prescribed, when a generic is dispensed for it. */
  genericFor: string | null
  /** "60 tablets". */
  quantity: string
  daysSupply: number
  directions: string
  prescriberName: string
  filledOn: string
  refillsLeft: number
  storage: string
  discardAfter: string
  lot: string | null
  warnings: string[]
  /** Where a pharmacist answers questions. Several states ask for a toll-free number here. */
  pharmacistPhone: string
  hasGuideEnclosed: boolean
  /** Of the pharmacist who cleared the line; null before that. */
  initials: string | null
  /** Null when the product has no pharmacy. */
  pharmacy: LabelPharmacy | null
}

/** "AD" for "Amara Diallo": the first letters of at most three names. */
export const toInitials = (name: string): string =>
  name
    .split(/[\s-]+/)
    .filter(Boolean)
    .slice(0, 3)
    .map((part) => [...part][0]?.toUpperCase() ?? '')
    .join('')

/** The same day `months` later, or the last day of that month: Feb 29 becomes Feb 28. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const lastOfMonth = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastOfMonth))).toISOString().slice(0, 10)
}

/** A dispensed medicine is discarded after 12 months (USP, "beyond-use date"). */
const beyondUseMonths = 12

/**
 * The day after which the medicine is discarded: the earliest of the lot's expiry, 12 months after
 * the fill, and the pharmacist's own date. Nothing extends it.
 */
export function discardAfter({
  filledOn,
  lotExpiry,
  chosen,
}: {
  filledOn: string
  lotExpiry: string | null
  chosen: string | null
}): string {
  const days = [addMonths(filledOn, beyondUseMonths), lotExpiry, chosen].filter((day) => day !== null)
  return days.toSorted()[0] ?? filledOn
}

/** What is missing on a label before the medicine may leave. Empty when it is complete. */
export function findLabelGaps({
  label,
  choices,
  flags,
  hasErrorProneCode,
  isFirstFill,
}: {
  label: Pick<DispensingLabel, 'initials' | 'pharmacy' | 'discardAfter' | 'filledOn'>
  choices: LabelChoices
  flags: LabelFlags
  hasErrorProneCode: boolean
  isFirstFill: boolean
}): string[] {
  const { pharmacy, initials } = label
  const gaps = [
    initials === null && 'A pharmacist has not cleared this line.',
    hasErrorProneCode && 'The directions have a code that must not be printed. Transcribe them in words.',
    pharmacy === null && 'The product has no pharmacy.',
    pharmacy !== null && pharmacy.addressLines.length === 0 && 'The pharmacy has no address.',
    pharmacy !== null && pharmacy.phone === null && 'The pharmacy has no phone number.',
    label.discardAfter < label.filledOn && 'The lot had expired on the day of the fill.',
    // 21 CFR 208.24(e): with every fill, refills too.
    flags.hasGuide && !choices.hasGuideEnclosed && 'The Medication Guide is not marked as enclosed.',
    flags.hasRems && choices.remsDecision === null && 'The REMS decision is not recorded.',
    isFirstFill && choices.counseling === null && 'The answer to the offer of counseling is not recorded.',
  ]
  return gaps.filter((gap) => gap !== false)
}
