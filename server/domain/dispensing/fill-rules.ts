import { addDays, addMonths, isFutureDay, utcDay } from '../days.ts'
import type { FillStatus, ItemStatus } from './dispensing.ts'
import { isSubstitutable, listDifferences, type Difference, type Medicine } from './medicine.ts'
import { formText } from './medicine-text.ts'
import type { FillContent, ItemContent } from './prescription-item.ts'

/** The rules of dispensing (docs/dispensing.md). Pure, so that a page and the write agree. */

/** An item with its state. */
export type Item = ItemContent & { id: string; prescriptionId: string; status: ItemStatus; version: number }

/** A fill with its state. */
export type Fill = FillContent & {
  id: string
  itemId: string
  lineId: string
  status: FillStatus
  dispensedAt: Date | null
  /** Whether it is reserved for a checkout that has no order yet. */
  isUnordered: boolean
}

/** A prescription is valid for a year (docs/dispensing.md, rule 3). */
export const validMonths = 12

/** The item's last valid day (rule 3): never later than a year after it was written. */
export function lastValidDay({
  writtenOn,
  validUntil,
}: Pick<ItemContent, 'writtenOn' | 'validUntil'>): string {
  const yearLater = addMonths(writtenOn, validMonths)
  return validUntil !== null && validUntil < yearLater ? validUntil : yearLater
}

/** Whether an item can still be dispensed on. */
export const isCurrent = (item: Item, now: Date): boolean =>
  item.status === 'active' && lastValidDay(item) >= utcDay(now)

/** Why a written date cannot be dispensed on; null when it can. */
export function writtenDateProblem(now: Date, writtenOn: string): string | null {
  if (isFutureDay(now, writtenOn)) return 'The written date can’t be in the future.'
  return addMonths(writtenOn, validMonths) < utcDay(now)
    ? 'The prescription was written more than 12 months ago.'
    : null
}

/** The fills of an item's patient: too soon is counted for each patient (rule 4). */
export const fillsOfPatient = (
  { patientId }: Pick<ItemContent, 'patientId'>,
  fills: readonly Fill[],
): Fill[] => fills.filter((fill) => (fill.patientId ?? patientId) === patientId)

const counts = (fill: Pick<Fill, 'status'>): boolean => fill.status !== 'released'

/** The units that an item still allows over all its fills (rule 2). */
export const remainingUnits = (item: Item, fills: readonly Fill[]): number =>
  item.unitsPerFill * (item.refills + 1) -
  fills.filter((fill) => fill.itemId === item.id && counts(fill)).reduce((sum, { units }) => sum + units, 0)

/** Whole refills that are left, for the pages. A started fill counts as used. */
export const refillsLeft = (item: Item, fills: readonly Fill[]): number => {
  const used = item.unitsPerFill * (item.refills + 1) - remainingUnits(item, fills)
  return Math.max(0, Math.min(item.refills, item.refills + 1 - Math.ceil(used / item.unitsPerFill)))
}

/** The days that a number of units lasts by the item's directions, at least one (rule 2). */
export const daysSupplyOf = (item: ItemContent, units: number): number =>
  Math.max(1, Math.ceil((item.daysSupply * units) / item.unitsPerFill))

/**
 * The first day on which the patient may get these ingredients again, over all items; null when
 * they never got them (rule 4).
 */
export function nextFillDay(
  ingredientSet: string,
  fills: readonly Fill[],
  opensAtPercent: number,
): string | null {
  const days = fills.flatMap((fill) =>
    fill.ingredientSet === ingredientSet && fill.status === 'dispensed' && fill.dispensedAt !== null
      ? [addDays(utcDay(fill.dispensedAt), Math.ceil((fill.daysSupply * opensAtPercent) / 100))]
      : [],
  )
  return days.toSorted().at(-1) ?? null
}

/** Whether a fill of these ingredients has not left the pharmacy yet (rule 4). */
export const hasFillInProgress = (ingredientSet: string, fills: readonly Fill[]): boolean =>
  fills.some(
    (fill) =>
      fill.ingredientSet === ingredientSet && (fill.status === 'reserved' || fill.status === 'cleared'),
  )

/** Why an item does not allow a fill now. */
export type FillProblem =
  /** `offeredForm` is the form of the medicine that was asked for, as `formText` writes it. */
  | { kind: 'different'; difference: Difference; offeredForm: string }
  | { kind: 'closed' }
  /** Its last valid day has passed. */
  | { kind: 'expired'; on: string }
  /** More units than one fill allows. */
  | { kind: 'too many'; allowed: number }
  /** Fewer units are left than requested; 0 when none are. */
  | { kind: 'nothing left'; left: number }
  | { kind: 'too early'; on: string }
  /** Another fill of the same ingredients has not left the pharmacy. */
  | { kind: 'in progress' }
  /** Another line of the same cart is for the same ingredients. */
  | { kind: 'in cart' }

/**
 * Whether an item allows dispensing these units now (rules 1 to 4); null when it does. One function
 * answers the cart, the checkout, the pharmacist and the shipping guard.
 * @param fills all fills of the customer's account, of this line too; the patient's own count
 * @param request.lineId the line to fill: its own earlier fill does not count against it
 * @param request.allowsEarly whether a pharmacist decided that an early or concurrent fill is
 *   appropriate
 */
export function checkFill(
  item: Item,
  fills: readonly Fill[],
  request: {
    medicine: Medicine
    units: number
    lineId: string | null
    now: Date
    opensAtPercent: number
    allowsEarly?: boolean
    /** Whether the pharmacist confirmed the offered medicine in place of the prescribed one. */
    allowsSubstitute?: boolean
  },
): FillProblem | null {
  const { medicine, units, lineId, now, opensAtPercent } = request
  const others = fills.filter((fill) => fill.lineId !== lineId)
  const differences = listDifferences(item.medicine, medicine, item.dispenseAsWritten)
  const [difference] = differences
  if (difference !== undefined && !(request.allowsSubstitute && isSubstitutable(differences))) {
    return { kind: 'different', difference, offeredForm: formText(medicine) }
  }
  if (item.status === 'closed') return { kind: 'closed' }
  const lastDay = lastValidDay(item)
  if (lastDay < utcDay(now)) return { kind: 'expired', on: lastDay }
  const left = remainingUnits(item, others)
  if (left <= 0) return { kind: 'nothing left', left: 0 }
  if (units > item.unitsPerFill) return { kind: 'too many', allowed: item.unitsPerFill }
  if (units > left) return { kind: 'nothing left', left }
  if (request.allowsEarly) return null
  const { ingredientSet } = item.medicine
  const ofPatient = fillsOfPatient(item, others)
  if (hasFillInProgress(ingredientSet, ofPatient)) return { kind: 'in progress' }
  const opensOn = nextFillDay(ingredientSet, ofPatient, opensAtPercent)
  return opensOn !== null && opensOn > utcDay(now) ? { kind: 'too early', on: opensOn } : null
}
