import { z } from 'zod'

/**
 * `open`: an admin has still to decide, and the row counts. `confirmed`: the row is wrong and no
 * longer counts. `rejected`: it is right. `outdated`: a later edition of the list says something
 * else.
 */
export const rowReportStatuses = ['open', 'confirmed', 'rejected', 'outdated'] as const
export type RowReportStatus = (typeof rowReportStatuses)[number]

const maxText = 1000

/** A pharmacist's report of a row: its `rowKey` of an alert's source. */
export const rowReportSchema = z.object({
  rowKey: z.string().min(1).max(100),
  reason: z
    .string('Say what is wrong with it.')
    .trim()
    .min(1, 'Say what is wrong with it.')
    .max(maxText, `Use ${maxText} characters at most.`),
})
export type RowReportInput = z.infer<typeof rowReportSchema>

/** An admin's decision on a report. */
export const rowReviewSchema = z.object({
  id: z.string().min(1).max(100),
  isWrong: z.boolean(),
  note: z.string().trim().max(maxText, `Use ${maxText} characters at most.`).default(''),
})
export type RowReviewInput = z.input<typeof rowReviewSchema>
