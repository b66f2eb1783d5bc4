import {
  checkFill,
  daysSupplyOf,
  isCurrent,
  refillsLeft,
  type Fill,
  type FillProblem,
  type Item,
} from './fill-rules.ts'
import type { Medicine } from './medicine.ts'

/** A prescription line before it is reviewed. */
export type PrescribedLine = { id: string | null; medicine: Medicine; units: number }

/** A prescription that the customer chose for lines without an item of their own. */
export type ChosenPrescription = {
  id: string
  /** Whether a pharmacist has transcribed it. Then only its items count. */
  isTranscribed: boolean
  /** Whom it is for. Only their items count with it. */
  patientId: string
}

/**
 * Whether a prescription line can be ordered, and on what (docs/dispensing.md, "The path of an
 * order").
 */
export type LineResolution =
  | { kind: 'covered'; item: Item; refillsLeft: number; daysSupply: number }
  /** A pharmacist will compare it with the chosen prescription. */
  | { kind: 'to review'; prescriptionId: string }
  /** No item covers it. The customer chooses or uploads a prescription. */
  | { kind: 'needs prescription' }
  /** Refused before payment. `item` is the one that comes closest. */
  | { kind: 'refused'; item: Item; problem: FillProblem }

/** The problem that tells the customer most about what they can do comes first. */
const problemOrder = [
  'too early',
  'in progress',
  'in cart',
  'too many',
  'nothing left',
  'expired',
  'closed',
  'different',
] as const

/**
 * Whether the patient has this medicine already and only the time is wrong. Another prescription
 * does not change that (docs/dispensing.md, rule 4).
 */
export const isTooSoon = ({ kind }: FillProblem): boolean =>
  kind === 'too early' || kind === 'in progress' || kind === 'in cart'

/**
 * Resolves one line against the customer's items. An item that allows the fill wins, and one that
 * is too soon to fill again refuses it. Then comes the chosen prescription, if it is not
 * transcribed yet; else the closest item says what is wrong. Where more than one patient of the
 * account has the medicine, the customer chooses whose prescription it is.
 */
export function resolveLine(
  line: PrescribedLine,
  { items, fills }: { items: readonly Item[]; fills: readonly Fill[] },
  chosen: ChosenPrescription | null,
  { now, opensAtPercent }: { now: Date; opensAtPercent: number },
): LineResolution {
  const request = { ...line, lineId: line.id, now, opensAtPercent }
  const own = items.filter(
    ({ medicine, patientId }) =>
      medicine.ingredientSet === line.medicine.ingredientSet &&
      (chosen === null || patientId === chosen.patientId),
  )
  const current = own.filter((item) => isCurrent(item, now))
  if (new Set(current.map(({ patientId }) => patientId)).size > 1) return { kind: 'needs prescription' }
  const related = own.map((item) => ({
    item,
    problem: checkFill(item, fills, request),
  }))
  const covering = related.find(({ problem }) => problem === null)
  if (covering) {
    const { item } = covering
    return {
      kind: 'covered',
      item,
      refillsLeft: refillsLeft(item, fills),
      daysSupply: daysSupplyOf(item, line.units),
    }
  }
  const refusals = related
    .flatMap(({ item, problem }) => (problem ? [{ item, problem }] : []))
    .toSorted((a, b) => problemOrder.indexOf(a.problem.kind) - problemOrder.indexOf(b.problem.kind))
  const [closest] = refusals
  const canReview = chosen !== null && !chosen.isTranscribed
  if (canReview && !(closest && isTooSoon(closest.problem))) {
    return { kind: 'to review', prescriptionId: chosen.id }
  }
  return closest ? { kind: 'refused', ...closest } : { kind: 'needs prescription' }
}
