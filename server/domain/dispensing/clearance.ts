import { ageOn } from '../accounts/age.ts'
import { isFutureDay, utcDay } from '../days.ts'
import { isForm, isSameRelease } from '../screening/equivalents.ts'
import type { ClearInput } from './case-inputs.ts'
import { checkFill, type Fill, type FillProblem, type Item } from './fill-rules.ts'
import { agreementDayProblem } from './agreement-day.ts'
import { problemForPharmacist } from './line-messages.ts'
import { findDifference, listDifferences, type Difference, type Medicine } from './medicine.ts'
import type { ListedCodes } from './listed-codes.ts'
import type { LineNoteKind, Transcription } from './prescription-item.ts'

/**
 * What clearing a line needs (docs/dispensing.md, rules 1 to 6). Pure: the case shows beforehand
 * what the clearance then demands.
 */

/** What a pharmacist must know about a patient. */
export type PatientFacts = { dateOfBirth: string | null; hasAnsweredAllergies: boolean }

/** Adults give no weight. */
const adultAge = 18

/** Whether a patient is under 18 on a day. An unknown birth date is asked for first. */
export const isMinor = (now: Date, dateOfBirth: string | null): boolean =>
  dateOfBirth !== null && ageOn(utcDay(now), dateOfBirth) < adultAge

/**
 * What must be recorded before any line of a prescription can be cleared, as sentences; empty when
 * nothing is missing. A pharmacist cannot waive these: the file and the customer have the answers.
 */
export function listBlockers(
  patient: PatientFacts,
  prescription: { isApproved: boolean; authentication: Transcription['authentication'] } | null,
): string[] {
  return [
    prescription === null || !prescription.isApproved ? 'Transcribe the prescription first.' : null,
    prescription?.isApproved && prescription.authentication === null
      ? 'Record how the prescription was authenticated.'
      : null,
    patient.dateOfBirth === null ? 'The patient’s date of birth is missing. Ask the customer.' : null,
    !patient.hasAnsweredAllergies
      ? 'The patient’s allergies are missing. Ask the customer. “No known allergies” is an answer.'
      : null,
  ].filter((sentence) => sentence !== null)
}

/** What the rules say about filling a line from an item, and what a pharmacist may decide. */
export type FillCheck = {
  problem: FillProblem | null
  message: string | null
  difference: Difference | null
  needs: 'early' | 'substitute' | 'both' | null
  isPossible: boolean
}

type LineToFill = { medicine: Medicine; units: number; lineId: string }
type FillRules = { fills: readonly Fill[]; now: Date; opensAtPercent: number }

export function checkCandidate(item: Item, line: LineToFill, { fills, ...rules }: FillRules): FillCheck {
  const request = { ...line, ...rules }
  const difference = findDifference(item.medicine, line.medicine, item.dispenseAsWritten)
  const problem = checkFill(item, fills, request)
  const allows = (allowed: { allowsEarly?: boolean; allowsSubstitute?: boolean }): boolean =>
    checkFill(item, fills, { ...request, ...allowed }) === null
  const needs =
    problem === null
      ? null
      : allows({ allowsEarly: true })
        ? 'early'
        : allows({ allowsSubstitute: true })
          ? 'substitute'
          : allows({ allowsEarly: true, allowsSubstitute: true })
            ? 'both'
            : null
  return {
    problem,
    message: problem && problemForPharmacist(problem, { ...item.medicine, brand: item.dispenseAsWritten }),
    difference,
    needs,
    isPossible: problem === null || needs !== null,
  }
}

type Substitute = NonNullable<ClearInput['substitute']>

/** The codes of both medicines: the list's own, else what the pharmacist entered. */
const codesOf = (substitute: Substitute, listed: ListedCodes | null) => ({
  prescribed: listed?.prescribed ?? substitute.prescribedCode,
  offered: listed?.offered ?? substitute.offeredCode,
})

/**
 * Whether one is a capsule and the other a tablet, or they release differently. FDA assigns codes
 * within one form, so equal codes across forms prove nothing.
 */
const isOtherForm = (item: Medicine, line: Medicine): boolean =>
  item.form !== line.form ||
  (item.formText !== null &&
    line.formText !== null &&
    !(isForm(item.formText, line.formText) && isSameRelease(item.formText, line.formText)))

/**
 * Whether FDA rates both medicines as equivalent: by its list, else by the same A-code for both.
 * Only products of the same form are rated, so a capsule is no substitute for a tablet.
 */
function isEquivalent(
  { item, line }: { item: Item; line: LineToFill },
  substitute: Substitute,
  listed: ListedCodes | null,
): boolean {
  if (isOtherForm(item.medicine, line.medicine)) return false
  if (listed && listed.isEquivalent !== null) return listed.isEquivalent
  const { prescribed, offered } = codesOf(substitute, listed)
  return prescribed !== null && prescribed === offered && prescribed.startsWith('A')
}

/** A decision that becomes a note of the line. */
export type DecisionNote = { kind: LineNoteKind; text: string }

/**
 * Whether a pharmacist's decisions allow clearing a line. Returns the notes to record, or the
 * errors by field.
 */
export function decideClearance(
  decisions: Pick<ClearInput, 'earlyNote' | 'substitute' | 'destinationNote' | 'weight'>,
  facts: {
    item: Item
    line: LineToFill
    patient: PatientFacts
    isDestinationServed: boolean
    listed: ListedCodes | null
  } & FillRules,
): {
  notes: DecisionNote[]
  errors: Record<string, string>
  agreement: { with: string; on: string | null } | null
} {
  const { item, line, patient, now, listed } = facts
  const check = checkCandidate(item, line, facts)
  const isOtherBrand = listDifferences(item.medicine, line.medicine, item.dispenseAsWritten).includes('brand')
  const errors: Record<string, string> = {}
  const notes: DecisionNote[] = []
  let agreement: { with: string; on: string | null } | null = null

  if (!check.isPossible) errors['itemId'] = check.message ?? 'This item does not cover the line.'
  else {
    if (check.needs === 'early' || check.needs === 'both') {
      if (decisions.earlyNote === null) {
        errors['earlyNote'] =
          `${check.needs === 'early' ? (check.message ?? '') : 'It is too early or another fill is in progress.'} Say why an early or concurrent fill is appropriate.`
      } else notes.push({ kind: 'early', text: decisions.earlyNote })
    }
    if (check.needs === 'substitute' || check.needs === 'both') {
      const { substitute } = decisions
      if (substitute === null) {
        errors['substitute.note'] =
          `${check.message ?? ''} Confirm the substitution with the FDA codes of both medicines.`
      } else if (
        !isEquivalent(facts, substitute, listed) ||
        // "Dispense as written" needs the prescriber, whatever the codes say.
        isOtherBrand
      ) {
        if (substitute.agreement === null) {
          errors['substitute.agreement.with'] = isOtherBrand
            ? 'The prescriber wrote “dispense as written”, so they must agree. Enter who agreed.'
            : isOtherForm(item.medicine, line.medicine)
              ? 'FDA rates no other form as equivalent, so the prescriber must agree. Enter who agreed.'
              : listed?.isEquivalent === false
                ? 'FDA doesn’t rate them as equivalent, so the prescriber must agree. Enter who agreed.'
                : 'Without the same A-code for both medicines, the prescriber must agree. Enter who agreed.'
        } else {
          const problem = agreementDayProblem(now, substitute.agreement)
          if (problem) errors['substitute.agreement.on'] = problem
          else agreement = substitute.agreement
        }
      }
      if (substitute !== null) notes.push({ kind: 'substitute', text: substitutionNote(substitute, listed) })
    }
  }
  if (!facts.isDestinationServed) {
    if (decisions.destinationNote === null) {
      errors['destinationNote'] = 'The pharmacy does not ship there. Say why this order may go there.'
    } else notes.push({ kind: 'destination', text: decisions.destinationNote })
  }
  if (isMinor(now, patient.dateOfBirth)) {
    const { weight } = decisions
    if (weight === null)
      errors['weight.kilograms'] = 'The patient is under 18. Enter the weight in kilograms.'
    else if (weight.on === null || isFutureDay(now, weight.on)) {
      errors['weight.on'] = 'Enter the date the patient was weighed.'
    } else notes.push({ kind: 'weight', text: `${weight.kilograms} kg on ${weight.on}` })
  }
  return { notes, errors, agreement }
}

/** Says which codes are the list's and which the pharmacist entered. */
function substitutionNote(substitute: Substitute, listed: ListedCodes | null): string {
  const { prescribed, offered } = codesOf(substitute, listed)
  const source = (code: string | null | undefined): string =>
    code ? ` (FDA’s list${listed?.listDate ? ` of ${listed.listDate}` : ''})` : ''
  const { note, agreement } = substitute
  return [
    `Prescribed: ${prescribed ?? 'no code'}${source(listed?.prescribed)}, dispensed: ${offered ?? 'no code'}${source(listed?.offered)}.`,
    listed?.isEquivalent === false ? 'The list doesn’t rate them as equivalent.' : null,
    note,
    agreement && `Agreed with ${agreement.with}${agreement.on === null ? '' : ` on ${agreement.on}`}.`,
  ]
    .filter(Boolean)
    .join(' ')
}
