import { z } from 'zod'
import { cleanLine, cleanLines, isBlank } from '../clean-text.ts'
import { storageIds, warningIds } from './auxiliary-warnings.ts'

/** What pharmacists record for the label of one line. */

export const counselingAnswers = {
  accepted: 'Accepted, not done yet',
  declined: 'Declined',
  done: 'Done',
} as const
export type CounselingAnswer = keyof typeof counselingAnswers
const answers = Object.keys(counselingAnswers) as CounselingAnswer[]

/** Who recorded something, and when (ISO 8601). */
const recordedSchema = z.object({ by: z.string(), at: z.string() })

/** The stored shape. */
export const labelChoicesSchema = z.object({
  warnings: z.array(z.enum(warningIds)),
  /** The pharmacist's own wordings. */
  otherWarnings: z.array(z.string()),
  storage: z.enum(storageIds),
  lot: z.string().nullable(),
  /** YYYY-MM-DD. */
  lotExpiry: z.string().nullable(),
  /** YYYY-MM-DD, when the pharmacist sets an earlier day than the rule. */
  discardAfter: z.string().nullable(),
  hasGuideEnclosed: z.boolean(),
  remsDecision: recordedSchema.extend({ text: z.string() }).nullable(),
  counseling: recordedSchema.extend({ answer: z.enum(answers) }).nullable(),
})
export type LabelChoices = z.output<typeof labelChoicesSchema>

export const noLabelChoices: LabelChoices = {
  warnings: [],
  otherWarnings: [],
  storage: 'package',
  lot: null,
  lotExpiry: null,
  discardAfter: null,
  hasGuideEnclosed: false,
  remsDecision: null,
  counseling: null,
}

export const labelBounds = { lot: 40, warning: 90, otherWarnings: 3, remsDecision: 500 } as const

const day = z
  .string()
  .optional()
  .transform((text) => text?.trim() || null)
  .pipe(z.iso.date('Enter a valid date, like 2027-06-30.').nullable())

const text = (max: number, clean: (text: string) => string) =>
  z
    .string()
    .optional()
    .transform((typed) => clean(typed ?? ''))
    .refine((typed) => typed.length <= max, `Enter at most ${max} characters.`)
    .transform((typed) => (isBlank(typed) ? null : typed))

/** A checkbox of a form: absent when it is not ticked. */
const tick = z
  .literal('on')
  .optional()
  .transform((value) => value === 'on')

/** The form of the label. Days are checked against the fill date by `checkLabelDays`. */
export const labelFormSchema = z.object({
  version: z.coerce.number().int().min(0),
  warnings: z
    .union([z.enum(warningIds).transform((id) => [id]), z.array(z.enum(warningIds)).max(warningIds.length)])
    .optional()
    .transform((ids) => [...new Set(ids ?? [])]),
  otherWarnings: z
    .string()
    .optional()
    .transform((typed) =>
      cleanLines(typed ?? '')
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => !isBlank(line)),
    )
    .refine(
      (lines) => lines.length <= labelBounds.otherWarnings,
      `Enter at most ${labelBounds.otherWarnings} warnings, one on each line.`,
    )
    .refine(
      (lines) => lines.every((line) => line.length <= labelBounds.warning),
      `Each warning can have at most ${labelBounds.warning} characters.`,
    ),
  storage: z.enum(storageIds, 'Choose how to store the medicine.'),
  lot: text(labelBounds.lot, cleanLine),
  lotExpiry: day,
  discardAfter: day,
  hasGuideEnclosed: tick,
  remsDecision: text(labelBounds.remsDecision, cleanLines),
  counseling: z
    .enum(['', ...answers], 'Choose the answer to the offer of counseling.')
    .optional()
    .transform((answer) => answer || null),
})
export type LabelForm = z.output<typeof labelFormSchema>

/** Why the days of a label's form can't be. By field; empty when they are possible. */
export function checkLabelDays(
  { lotExpiry, discardAfter }: Pick<LabelForm, 'lotExpiry' | 'discardAfter'>,
  { filledOn, latest }: { filledOn: string; latest: string },
): Record<string, string> {
  const messages: Record<string, string> = {}
  if (lotExpiry !== null && lotExpiry < filledOn) {
    messages['lotExpiry'] = 'This lot expired before the day of the fill. Dispense another lot.'
  }
  if (discardAfter !== null && discardAfter < filledOn) {
    messages['discardAfter'] = 'Enter a day after the day of the fill.'
  } else if (discardAfter !== null && discardAfter > latest) {
    messages['discardAfter'] =
      `Enter ${latest} or an earlier day. A label can’t extend the lot’s expiry or 12 months.`
  }
  return messages
}

/**
 * The choices after a form. A decision or an answer that did not change keeps who recorded it and
 * when.
 */
export function applyLabelForm(
  before: LabelChoices,
  { version: _, remsDecision, counseling, ...form }: LabelForm,
  recorded: z.output<typeof recordedSchema>,
): LabelChoices {
  return {
    ...form,
    remsDecision:
      remsDecision === null
        ? null
        : before.remsDecision?.text === remsDecision
          ? before.remsDecision
          : { text: remsDecision, ...recorded },
    counseling:
      counseling === null
        ? null
        : before.counseling?.answer === counseling
          ? before.counseling
          : { answer: counseling, ...recorded },
  }
}
