import { z } from 'zod'
import { cleanLine, cleanLines, isBlank } from '../clean-text.ts'
import { formatDay } from '../format-day.ts'
import { counselingAnswerIds, guideAnswerIds } from './label-answers.ts'
import { storageIds, warningIds, type WarningId } from './auxiliary-warnings.ts'

/** What pharmacists record for the label of one line. */

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
  /** Whether a Medication Guide goes with it; null until a pharmacist decided. */
  guide: z.enum(guideAnswerIds).nullable(),
  remsDecision: recordedSchema.extend({ text: z.string() }).nullable(),
  counseling: recordedSchema.extend({ answer: z.enum(counselingAnswerIds) }).nullable(),
})
export type LabelChoices = z.output<typeof labelChoicesSchema>

export const noLabelChoices: LabelChoices = {
  warnings: [],
  otherWarnings: [],
  storage: 'package',
  lot: null,
  lotExpiry: null,
  discardAfter: null,
  guide: null,
  remsDecision: null,
  counseling: null,
}

/**
 * Limits in characters, and of the warnings on one label: patients overlook those after the first
 * (Wolf et al., Arch Intern Med 2010;170:50), and more would not fit.
 */
export const labelBounds = { lot: 40, warning: 90, warnings: 5, remsDecision: 500 } as const

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

/** One checkbox for each warning, so that a refused form shows all ticks again. */
const warningFields = {
  'warn-with-food': tick,
  'warn-plenty-of-water': tick,
  'warn-swallow-whole': tick,
  'warn-sunlight': tick,
  'warn-skin': tick,
  'warn-drowsiness': tick,
  'warn-alcohol': tick,
  'warn-driving': tick,
} satisfies Record<`warn-${WarningId}`, typeof tick>

/** The form of the label. Days are checked against the fill date by `checkLabelDays`. */
export const labelFormSchema = z
  .object({
    ...warningFields,
    version: z.coerce.number().int().min(0),
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
        (lines) => lines.every((line) => line.length <= labelBounds.warning),
        `Each warning can have at most ${labelBounds.warning} characters.`,
      ),
    storage: z.enum(storageIds, 'Choose how to store the medicine.'),
    lot: text(labelBounds.lot, cleanLine),
    lotExpiry: day,
    discardAfter: day,
    guide: z
      .enum(['', ...guideAnswerIds], 'Choose whether a Medication Guide is enclosed.')
      .optional()
      .transform((answer) => answer || null),
    remsDecision: text(labelBounds.remsDecision, cleanLines),
    counseling: z
      .enum(['', ...counselingAnswerIds], 'Choose the answer to the offer of counseling.')
      .optional()
      .transform((answer) => answer || null),
  })
  .transform((form, check) => {
    const { version, otherWarnings, storage, lot, lotExpiry, discardAfter } = form
    const { guide, remsDecision, counseling } = form
    const warnings = warningIds.filter((id) => form[`warn-${id}`])
    if (warnings.length + otherWarnings.length > labelBounds.warnings) {
      check.addIssue({
        code: 'custom',
        path: ['otherWarnings'],
        message: `A label can have at most ${labelBounds.warnings} warnings: patients read only the first few.`,
      })
    }
    return {
      version,
      warnings,
      otherWarnings,
      storage,
      lot,
      lotExpiry,
      discardAfter,
      guide,
      remsDecision,
      counseling,
    }
  })
export type LabelForm = z.output<typeof labelFormSchema>

/** What is wrong with the dates of a label's form, by field; empty when nothing is. */
export function checkLabelDays(
  { lotExpiry, discardAfter }: Pick<LabelForm, 'lotExpiry' | 'discardAfter'>,
  { filledOn, latest }: { filledOn: string; latest: string },
): Record<string, string> {
  const messages: Record<string, string> = {}
  if (lotExpiry !== null && lotExpiry < filledOn) {
    messages['lotExpiry'] = 'This lot expired before the fill date. Dispense another lot.'
  }
  if (discardAfter !== null && discardAfter < filledOn) {
    messages['discardAfter'] = 'Enter the fill date or a later date.'
  } else if (discardAfter !== null && discardAfter > latest) {
    messages['discardAfter'] =
      `Enter ${formatDay(latest)} or an earlier date. It can’t be later than the lot’s expiry date or 12 months after the fill.`
  }
  return messages
}

/**
 * The choices after a form. A decision or an answer that did not change keeps who recorded it and
 * when.
 */
export function applyLabelForm(
  before: LabelChoices,
  form: LabelForm,
  recorded: z.output<typeof recordedSchema>,
): LabelChoices {
  const { version: _, remsDecision, counseling, ...choices } = form
  return {
    ...choices,
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
