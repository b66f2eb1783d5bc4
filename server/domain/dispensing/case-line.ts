import type { CaseAlert } from '../alerts/case-alert.ts'
import type { FillStatus, LineReviewStatus } from './dispensing.ts'
import type { FillProblem } from './fill-rules.ts'
import type { ListedCodes } from './listed-codes.ts'
import type { Difference, Medicine } from './medicine.ts'
import type { LineDecision } from './prescription-item.ts'

/** The order's lines in a pharmacist's case, as JSON. */

/** An item that could fill a line, with what the rules say. */
export type CaseCandidate = {
  itemId: string
  itemVersion: number
  rxNumber: string
  patientId: string
  /** The dependant it is for; null for the customer. */
  dependantName: string | null
  prescriptionId: string
  /** Null when all rules allow the fill. */
  problem: FillProblem | null
  /** The same in words. */
  message: string | null
  /** How the ordered medicine differs from the prescribed one. */
  difference: Difference | null
  /** The decision that the pharmacist can record to clear it anyway; null when none can. */
  needs: 'early' | 'substitute' | 'both' | null
  /** What FDA's list says about both medicines; null where no decision needs it. */
  listed: ListedCodes | null
  /** Whether it can be cleared, with that decision. */
  isPossible: boolean
  daysSupply: number
  refillsLeft: number
  /** Why the line cannot be cleared on it yet, in words. */
  blockers: string[]
  /**
   * What the lists say about the line when it is filled from this item. Null where that is among
   * the alerts of the case, and where it cannot be cleared.
   */
  alerts: CaseAlert[] | null
  /** With `alerts`: what could not be checked for the item's patient, in words. */
  notChecked: string[]
}

/** What FDA's list says about an ordered medicine, and what of that is in stock instead. */
export type LineEquivalents = {
  /** The ordered medicine's code; null when the list has none. */
  code: string | null
  /** The day of the list; null when it has no product of the line's. */
  listDate: string | null
  /** False when the list leaves out products of these ingredients. */
  isComplete: boolean
  /** Dollars per unit that the customer pays: "0.143". */
  orderedUnitPrice: string
  /** Rated as equivalent and in stock, cheapest per unit first. */
  offers: {
    variantId: string
    /** "Zestril, 10 mg, 30 tablet, Almatica Pharma". */
    label: string
    unit: string
    unitPrice: string
    /** It costs more than what was ordered, so the customer is asked. */
    costsMore: boolean
  }[]
}

export type CaseLine = {
  id: string
  patientId: string
  /** The dependant it is for; null for the customer. */
  dependantName: string | null
  version: number
  status: LineReviewStatus
  product: { id: string; name: string }
  variantId: string
  quantity: number
  /** "Zestril 10 mg tablet, 30 tablets". */
  variant: string
  /** Null when the variant of an earlier order is gone. Such a line can only be refused. */
  medicine: Medicine | null
  /** In the medicine's unit. */
  units: number | null
  /** The variant that its catalog entry links to: a suggestion to ask the prescriber about. */
  linkedVariant: string | null
  /** Null once the line is decided. */
  equivalents: LineEquivalents | null
  prescriptionId: string | null
  itemId: string | null
  fillStatus: FillStatus | null
  candidates: CaseCandidate[]
  /** States that schedule an ingredient themselves, by postal code (an admin keeps the list). */
  scheduledIn: string[]
  /** What the label must record before it ships: "Medication Guide", "REMS". */
  undecidedFlags: string[]
  /**
   * Why it cannot be cleared yet on its prescription, in words: "Record how the prescription was
   * authenticated."
   */
  blockers: string[]
  decision: LineDecision
  decidedBy: string | null
  decidedAt: string | null
  checkedBy: string | null
  checkedAt: string | null
  /** Whether the signed-in pharmacist may do the second check. */
  canCheck: boolean
}
