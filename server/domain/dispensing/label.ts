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
