import { z } from 'zod'
import { rowReportLength } from './row-report-labels.ts'

const tooLong = `Use ${rowReportLength} characters at most.`

/** A pharmacist's report of a row: its `rowKey` of an alert's source. */
export const rowReportSchema = z.object({
  rowKey: z.string().min(1).max(100),
  reason: z
    .string('Say what is wrong with it.')
    .trim()
    .min(1, 'Say what is wrong with it.')
    .max(rowReportLength, tooLong),
})
export type RowReportInput = z.infer<typeof rowReportSchema>

/** An admin's decision on a report. */
export const rowReviewSchema = z.object({
  id: z.string().min(1).max(100),
  isWrong: z.boolean('Choose one.'),
  note: z.string().trim().max(rowReportLength, tooLong).default(''),
})
export type RowReviewInput = z.input<typeof rowReviewSchema>

/** The decision as a form sends it. */
export const rowReviewFormSchema = rowReviewSchema.extend({
  isWrong: z.enum(['yes', 'no'], { error: 'Choose one.' }).transform((answer) => answer === 'yes'),
  /** A code of the second factor, when the session gave none in the last minutes. */
  code: z.string().max(100, 'This code is too long.').default(''),
})
