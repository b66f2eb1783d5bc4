import { addDays, utcDay } from '../days.ts'
import { rxNumber } from './dispensing.ts'
import {
  checkFill,
  fillsOfPatient,
  lastValidDay,
  nextFillDay,
  refillsLeft,
  remainingUnits,
  type Fill,
  type FillProblem,
  type Item,
} from './fill-rules.ts'
import type { Medicine } from './medicine.ts'
import type { Medication } from './medication-view.ts'
import { formatQuantity } from './quantity.ts'

/** Days before the last valid day on which the page asks for a new prescription. */
const endingDays = 30

/** The units of the next fill: never more than one fill allows, nor than are left. */
export const nextFillUnits = (item: Item, fills: readonly Fill[]): number =>
  Math.max(0, Math.min(item.unitsPerFill, remainingUnits(item, fills)))

/**
 * Why an item cannot be refilled today; null when it can. An item that requires a brand is compared
 * as that brand.
 */
export const refillProblem = (
  item: Item,
  fills: readonly Fill[],
  { now, opensAtPercent }: { now: Date; opensAtPercent: number },
): FillProblem | null =>
  checkFill(item, fills, {
    medicine: prescribedMedicine(item),
    units: Math.max(1, nextFillUnits(item, fills)),
    lineId: null,
    now,
    opensAtPercent,
  })

/** The medicine of an item, as the brand that it requires. */
export const prescribedMedicine = ({ medicine, dispenseAsWritten }: Item): Medicine => ({
  ...medicine,
  brandName: dispenseAsWritten ?? medicine.brandName,
})

/** "Lisinopril 10 mg, tablet", with a required brand in front. */
export function medicineName({ medicine, dispenseAsWritten }: Item): string {
  const { substances, strength, form, formText } = medicine
  const name = dispenseAsWritten ? `${dispenseAsWritten} (${substances})` : substances
  return [`${name} ${strength}`.trim(), (formText ?? form)?.toLowerCase()].filter(Boolean).join(', ')
}

/** An item as its customer sees it (docs/dispensing.md, "Refills"). */
export function toMedication(
  item: Item,
  fills: readonly Fill[],
  {
    now,
    opensAtPercent,
    number,
    dependantName,
  }: { now: Date; opensAtPercent: number; number: number | null; dependantName: string | null },
): Medication {
  const problem = refillProblem(item, fills, { now, opensAtPercent })
  const validUntil = lastValidDay(item)
  const isLast = remainingUnits(item, fills) <= 0
  return {
    id: item.id,
    prescriptionId: item.prescriptionId,
    rxNumber: number === null ? null : rxNumber(number),
    name: medicineName(item) + (dependantName === null ? '' : ` (for ${dependantName})`),
    directions: item.directions,
    prescriberName: item.prescriberName,
    perFill: formatQuantity(item.unitsPerFill, item.medicine),
    daysSupply: item.daysSupply,
    refills: item.refills,
    refillsLeft: refillsLeft(item, fills),
    isNew: !fills.some((fill) => fill.itemId === item.id && fill.status !== 'released'),
    state: stateOf(problem),
    nextOn: nextFillDay(item.medicine.ingredientSet, fillsOfPatient(item, fills), opensAtPercent),
    validUntil,
    isEnding: isLast || item.status === 'closed' || validUntil < addDays(utcDay(now), endingDays),
  }
}

/** The item is compared with itself, so it never differs, and one fill is never too many. */
const stateOf = (problem: FillProblem | null): Medication['state'] =>
  problem === null ? 'ready' : states[problem.kind]

const states = {
  'too early': 'too early',
  'in progress': 'in progress',
  'in cart': 'ready',
  'too many': 'ready',
  different: 'ready',
  expired: 'expired',
  'nothing left': 'used up',
  closed: 'closed',
} as const satisfies Record<FillProblem['kind'], Medication['state']>

/**
 * The items that a customer's page lists: an item that ended is left out when a later one is for
 * the same medicine of the same patient.
 */
export const listedItems = (items: readonly Item[], isOver: (item: Item) => boolean): Item[] =>
  items.filter(
    (item, i) =>
      !isOver(item) ||
      !items.some(
        (other, j) =>
          other.patientId === item.patientId &&
          other.medicine.ingredientSet === item.medicine.ingredientSet &&
          other.medicine.strength === item.medicine.strength &&
          (!isOver(other) || j > i),
      ),
  )
