import { addMonths, utcDay } from '../days.ts'
import { isSame } from '../is-same.ts'
import { fold } from '../text.ts'
import type { ItemInput, TranscriptionInput } from './case-inputs.ts'
import { agreementDayProblem } from './agreement-day.ts'
import { findUnitProblem } from './directions-unit.ts'
import { expandDirections } from './expand-directions.ts'
import {
  lastValidDay,
  remainingUnits,
  validMonths,
  writtenDateProblem,
  type Fill,
  type Item,
} from './fill-rules.ts'
import { identityText, medicineText } from './medicine-text.ts'
import { findDifference, type Medicine } from './medicine.ts'

/** What may be transcribed (docs/dispensing.md, rules 2, 3 and 6). Errors are by field. */

/** A medicine of the catalog that a pharmacist chose. */
export type ChosenMedicine = {
  medicine: Medicine
  isPrescription: boolean
  /** The schedule of a controlled substance, or why it is not sold; null for all others. */
  controlledSchedule: string | null
}

/** Why a medicine cannot be transcribed; null when it can. */
export function medicineProblem({
  isPrescription,
  controlledSchedule,
}: Pick<ChosenMedicine, 'isPrescription' | 'controlledSchedule'>): string | null {
  if (controlledSchedule) return `This can’t be transcribed: ${controlledSchedule}.`
  return isPrescription ? null : 'This is not a prescription medicine.'
}

/** Whether a name on a file has each word of the account's name, in any order. */
export function isSameName(onFile: string, account: string): boolean {
  const words = new Set(fold(onFile).split(' '))
  return fold(account)
    .split(' ')
    .every((word) => words.has(word))
}

/** An item of the input with what it refers to. */
export type ItemToCheck = {
  input: ItemInput
  /** The item that it replaces; null for a new one. */
  earlier: Item | null
  /** Null when the variant is unknown. */
  chosen: ChosenMedicine | null
}

/** What is wrong with a transcription, by field; empty when nothing is. */
export function findTranscriptionErrors(
  input: Pick<TranscriptionInput, 'patientName' | 'patientNameNote' | 'writtenOn'>,
  {
    items,
    otherItems,
    fills,
    accountName,
    now,
  }: {
    items: readonly ItemToCheck[]
    /** The prescription's active items that the input leaves out. */
    otherItems: readonly Item[]
    fills: readonly Fill[]
    accountName: string
    now: Date
  },
): Record<string, string> {
  const errors: Record<string, string> = {}
  const dateProblem = writtenDateProblem(now, input.writtenOn)
  if (dateProblem) errors['writtenOn'] = dateProblem
  if (!isSameName(input.patientName, accountName) && input.patientNameNote === null) {
    errors['patientNameNote'] =
      `The customer says that it is for ${accountName}. Say why this is the same person.`
  }
  items.forEach((item, at) => {
    const itemErrors = findItemErrors(input.writtenOn, item, fills, now)
    const added = addedMedicine(item)
    const stored = added && otherItems.find(({ medicine }) => isSameDrug(medicine, added))
    if (stored) itemErrors['variantId'] ??= storedAlreadyMessage(stored.medicine)
    // Of two new ones, the later is the copy.
    const others = items.filter((other, place) => place < at || !addedMedicine(other))
    if (added && others.some((other) => isSameItem(item, other)))
      itemErrors['variantId'] ??= copyMessage(added)
    for (const [name, message] of Object.entries(itemErrors)) errors[`items[${at}].${name}`] = message
  })
  return errors
}

/**
 * The form didn't show the stored item: another pharmacist transcribed the file first. Each of two
 * items could be dispensed, twice what the file says.
 */
const storedAlreadyMessage = (medicine: Medicine): string =>
  `${drugName(medicine)} is already saved for this prescription. Remove it here, or cancel and edit the saved one.`

/**
 * Whether both are the same medicine by rule 1, with the same directions on their labels. One
 * typed twice could be dispensed twice. With other directions a file can order it twice.
 */
function isSameItem(one: ItemToCheck, other: ItemToCheck): boolean {
  const [medicine, otherMedicine] = [medicineOf(one), medicineOf(other)]
  return (
    medicine !== undefined &&
    otherMedicine !== undefined &&
    findDifference(medicine, otherMedicine) === null &&
    labelDirections(one, medicine) === labelDirections(other, medicine)
  )
}

const labelDirections = ({ input }: ItemToCheck, { form }: Medicine): string =>
  fold(expandDirections(input.directions, form).text)

const copyMessage = (medicine: Medicine): string =>
  `${drugName(medicine)} is in this form twice with the same directions. Remove one, or correct it.`

function findItemErrors(
  writtenOn: string,
  { input, earlier, chosen }: ItemToCheck,
  fills: readonly Fill[],
  now: Date,
): Record<string, string> {
  const errors: Record<string, string> = {}
  const medicine = input.variantId === null ? earlier?.medicine : chosen?.medicine
  if (!medicine) errors['variantId'] = 'Choose the medicine.'
  else {
    const hidden = input.variantId === null ? hiddenItem(input, medicine) : hiddenChoice(input, medicine)
    if (hidden) errors['variantId'] = hidden
  }
  const problem = chosen && medicineProblem(chosen)
  if (problem) errors['variantId'] = problem
  if (input.dispenseAsWritten && medicine && medicine.brandName === null) {
    errors['dispenseAsWritten'] = 'Choose the brand that must be dispensed as written.'
  }
  const unitProblem = findUnitProblem(input.directions, medicine?.form ?? null)
  if (unitProblem) errors['directions'] = unitProblem
  const { errorProne } = expandDirections(input.directions, medicine?.form ?? null)
  if (errorProne.length > 0) {
    errors['directions'] = errorProne
      .map(({ code, writeInstead }) => `Write “${writeInstead}” instead of “${code}”.`)
      .join(' ')
  }
  const { validUntil } = input
  if (validUntil !== null) {
    if (validUntil < writtenOn) errors['validUntil'] = 'This is before the written date.'
    else if (validUntil > addMonths(writtenOn, validMonths)) {
      errors['validUntil'] =
        `A prescription is valid for at most ${validMonths} months after the written date.`
    } else if (lastValidDay({ writtenOn, validUntil }) < utcDay(now)) {
      errors['validUntil'] = 'This date has passed, so nothing could be dispensed.'
    }
  }
  const dayProblem = input.agreement && agreementDayProblem(now, input.agreement)
  if (dayProblem) errors['agreement.on'] = dayProblem
  if (earlier && medicine) Object.assign(errors, findEditErrors(input, earlier, medicine, fills))
  return errors
}

/**
 * Why an item must not keep its medicine, which the form does not show; null when it does. Another
 * one was typed and not chosen, or a colleague has changed the item since the form was opened: the
 * typed quantity can be of other packs.
 */
function hiddenItem({ medicine: shown, storedMedicine }: ItemInput, medicine: Medicine): string | null {
  const identity = identityText(medicine)
  if (storedMedicine && storedMedicine !== identity) {
    return `Since you opened this form, the item was changed to ${identity}. Choose the medicine from the list.`
  }
  return typeof shown !== 'string' || fold(shown) === fold(medicineText(medicine))
    ? null
    : `This item is for ${drugName(medicine)}. To change it, choose the medicine from the list.`
}

/**
 * Why a chosen medicine is not the one that the form shows; null when it is. Without scripts, or
 * before they run, a text that is typed does not end the choice. The medicine of a marked radio
 * button is shown as long as the text above is the one that was looked up.
 */
function hiddenChoice({ medicine: shown, listed }: ItemInput, medicine: Medicine): string | null {
  if (typeof shown !== 'string' || typeof listed !== 'string') return null
  const isShown = [medicineText(medicine), listed].some((text) => text !== '' && fold(text) === fold(shown))
  return isShown
    ? null
    : `${drugName(medicine)} was chosen, and then the text was changed. Choose the medicine from the list.`
}

/** What an edit of an item may not do. */
function findEditErrors(
  input: ItemInput,
  earlier: Item,
  medicine: Medicine,
  fills: readonly Fill[],
): Record<string, string> {
  const errors: Record<string, string> = {}
  const hasFills = fills.some(({ itemId, status }) => itemId === earlier.id && status !== 'released')
  if (hasFills && !isSame(medicine, earlier.medicine)) {
    errors['variantId'] = 'This item has fills. Close it and add the other medicine as a new item.'
  }
  const edited = { ...earlier, unitsPerFill: input.units, refills: input.refills }
  if (remainingUnits(edited, fills) < 0) {
    errors['units'] = 'More units than that are already dispensed or reserved. Refuse the open lines first.'
  }
  const isRaised = input.units > earlier.unitsPerFill || input.refills > earlier.refills
  if (isRaised && input.agreement === null) {
    errors['agreement.with'] = 'Raising the quantity needs the prescriber’s agreement. Enter who agreed.'
  }
  return errors
}

/** Whether two items of one prescriber and day are for the same medicine. */
export const isSameDrug = (one: Medicine, other: Medicine): boolean =>
  one.ingredientSet === other.ingredientSet && fold(one.strength) === fold(other.strength)

/** "Lisinopril 10 mg". */
export const drugName = ({ substances, strength }: Medicine): string => `${substances} ${strength}`.trim()

/** The medicine that an item is to have. */
export const medicineOf = ({ chosen, earlier }: ItemToCheck): Medicine | undefined =>
  chosen?.medicine ?? earlier?.medicine

/** The medicine of a new item, or of one that was for another. */
export const addedMedicine = ({ chosen, earlier }: ItemToCheck): Medicine | undefined =>
  chosen && !(earlier && isSameDrug(chosen.medicine, earlier.medicine)) ? chosen.medicine : undefined
