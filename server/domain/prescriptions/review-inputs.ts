import { z } from 'zod'
import { gridQuerySchema, type GridCursor } from '../grid.ts'
import { questionBounds, type ReviewFilter } from './prescription-review.ts'
import { isBlank, cleanLines } from '../clean-text.ts'

/** The query of the prescription queue: the oldest first. */
export const reviewQuerySchema = gridQuerySchema({
  sorts: ['uploaded'],
  sort: 'uploaded',
  dir: 'asc',
  filters: {
    status: z
      .enum(['under_review', 'approved', 'rejected', 'expired', 'all'] satisfies readonly ReviewFilter[])
      .catch('under_review'),
  },
}).transform(({ after, before, ...query }) => ({
  ...query,
  after: withDateValue(after),
  before: withDateValue(before),
}))
export type ReviewQuery = Omit<z.output<typeof reviewQuerySchema>, 'size'> & { size: number }

/** Keeps a cursor only if its value is a timestamp; the database would reject any other. */
function withDateValue(place: GridCursor | undefined): GridCursor | undefined {
  const isMoment = z.iso.datetime().safeParse(place?.value).success
  return place && isMoment ? place : undefined
}

const requiredText = (max: number, empty: string) =>
  z
    .string({ error: empty })
    .transform(cleanLines)
    .refine((text) => !isBlank(text), empty)
    .refine((text) => text.length <= max, `Enter at most ${max.toLocaleString('en-US')} characters.`)

export const questionSchema = z.object({
  question: requiredText(questionBounds.question, 'Enter a question.'),
})
