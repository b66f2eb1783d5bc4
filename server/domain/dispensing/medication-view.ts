/** An item of a prescription as its customer sees it. Without zod, for the pages. */
export type Medication = {
  /** The item's id. */
  id: string
  prescriptionId: string
  /** "Rx 000123". */
  rxNumber: string | null
  /** "Lisinopril 10 mg, tablet"; for a dependant "Lisinopril 10 mg, tablet (for Mia Marsh)". */
  name: string
  directions: string
  prescriberName: string
  /** "30 tablets". */
  perFill: string
  daysSupply: number
  /** Refills that the prescriber authorized. */
  refills: number
  refillsLeft: number
  /** Whether nothing was dispensed or ordered on it. */
  isNew: boolean
  state: MedicationState
  /** The first day of the next fill, `YYYY-MM-DD`; null when there is no earlier one. */
  nextOn: string | null
  /** The last valid day. */
  validUntil: string
  /** Whether a new prescription is needed now or within a month. */
  isEnding: boolean
}

export type MedicationState = 'ready' | 'too early' | 'in progress' | 'used up' | 'expired' | 'closed'

/** A product that a refill can be filled with. */
export type RefillChoice = {
  variantId: string
  /** "Generic, 10 mg, 30 tablet". */
  name: string
  /** The packs of one fill. */
  quantity: number
  /** Their price, as a decimal string. */
  total: string
}

export const isOver = (state: MedicationState): boolean =>
  state === 'used up' || state === 'expired' || state === 'closed'
