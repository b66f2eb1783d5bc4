import { addMonths } from '../days.ts'
import type { LabelChoices } from './label-choices.ts'
import type { DispensingLabel, LabelFlags } from './label.ts'

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

/**
 * What a medicine is flagged for and no pharmacist has decided yet. It must not leave before: a
 * Medication Guide goes with every fill, refills too (21 CFR 208.24(e)). A label that was never
 * read has no flags.
 */
export const findMissingAnswers = (
  { hasGuide, hasRems }: Pick<LabelFlags, 'hasGuide' | 'hasRems'>,
  { guide, remsDecision }: Pick<LabelChoices, 'guide' | 'remsDecision'>,
): ('Medication Guide' | 'REMS')[] => [
  ...(hasGuide && guide === null ? ['Medication Guide' as const] : []),
  ...(hasRems && remsDecision === null ? ['REMS' as const] : []),
]

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
  const missing = findMissingAnswers(flags, choices)
  const gaps = [
    initials === null && 'A pharmacist has not cleared this line.',
    hasErrorProneCode && 'The directions have an error-prone code. Write it out in words.',
    pharmacy === null && 'The product has no pharmacy.',
    pharmacy !== null && pharmacy.addressLines.length === 0 && 'The pharmacy has no address.',
    pharmacy !== null && pharmacy.phone === null && 'The pharmacy has no phone number.',
    label.discardAfter < label.filledOn && 'The lot expired before the fill date.',
    missing.includes('Medication Guide') && 'Record whether the Medication Guide is enclosed.',
    missing.includes('REMS') && 'Record the REMS decision.',
    isFirstFill && choices.counseling === null && 'Record the answer to the offer of counseling.',
  ]
  return gaps.filter((gap) => gap !== false)
}

/**
 * The warning before medicines ship whose labels are drafts, or null when none is.
 * @param names the medicine of each draft; null for staff who may not see medicines
 */
export function describeDraftLabels(names: readonly (string | null)[]): string | null {
  if (names.length === 0) return null
  const known = names.filter((name) => name !== null)
  const list = new Intl.ListFormat('en-US').format(known)
  if (names.length === 1) {
    const label = known.length === 1 ? `The label of ${list}` : 'A label'
    return `${label} is a draft and prints “Not for dispensing”.`
  }
  const labels = known.length === names.length ? `The labels of ${list}` : `${names.length} labels`
  return `${labels} are drafts and print “Not for dispensing”.`
}
