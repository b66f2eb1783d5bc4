import type { LabelPharmacy } from './label.ts'

/**
 * A prescription item as it is printed for its prescriber or for another pharmacy. Days are
 * YYYY-MM-DD.
 */
export type ItemSheet = {
  itemId: string
  prescriptionId: string
  /** "Rx 000123". */
  rxNumber: string
  patientName: string
  dateOfBirth: string | null
  medicine: { name: string; brandName: string | null; strength: string; form: string }
  directions: string
  /** Of one fill: "30 tablets". */
  quantity: string
  daysSupply: number
  refills: number
  refillsLeft: number
  mayBeSubstituted: boolean
  prescriberName: string
  writtenOn: string
  lastValidOn: string
  /** What left the pharmacy, oldest first. */
  fills: { on: string; quantity: string }[]
  /** Of the last fill; null when none left. */
  pharmacy: LabelPharmacy | null
  pharmacistPhone: string
  /** Why and when it was closed; null while it is active. */
  closed: { reason: string; on: string } | null
  printedOn: string
}
