import { z } from 'zod'
import { gridQuerySchema, type GridPlace } from '../grid.ts'
import { questionBounds, type ReviewFilter } from './prescription-review.ts'
import { isBlank, typedLines } from '../typed-text.ts'

/** What the queue of prescriptions is asked for: the oldest that waits first. */
export const reviewQuerySchema = gridQuerySchema({
  sorts: ['uploaded'],
  sort: 'uploaded',
  dir: 'asc',
  filters: {
    status: z
      .enum(['under_review', 'approved', 'rejected', 'expired', 'all'] satisfies readonly ReviewFilter[])
      .catch('under_review'),
  },
}).transform(({ after, before, ...query }) => ({ ...query, after: dated(after), before: dated(before) }))
export type ReviewQuery = Omit<z.output<typeof reviewQuerySchema>, 'size'> & { size: number }

/** A place whose value is a moment; the database would stumble over another. */
function dated(place: GridPlace | undefined): GridPlace | undefined {
  const isMoment = z.iso.datetime().safeParse(place?.value).success
  return place && isMoment ? place : undefined
}

const written = (max: number, empty: string) =>
  z
    .string({ error: empty })
    .transform(typedLines)
    .refine((text) => !isBlank(text), empty)
    .refine((text) => text.length <= max, `Please shorten it to ${max} characters.`)

export const questionSchema = z.object({
  question: written(questionBounds.question, 'Please write a question.'),
})
export const answerSchema = z.object({
  answer: written(questionBounds.answer, 'Please write an answer.'),
})
