import { z } from 'zod'
import { adjustmentTypes, maxChange, maxNotes } from './inventory.ts'
import { isBlank, typedLines } from '../typed-text.ts'

const wholeNumber = 'Please enter a whole number.'

/** What an admin says of a change of a variant's stock (specification, sections 5 and 7). */
export const adjustmentSchema = z.object({
  variantId: z.string({ error: 'Please select a variant.' }).min(1, 'Please select a variant.'),
  quantityChange: z
    .number({ error: wholeNumber })
    .int(wholeNumber)
    .min(-maxChange, `At most ${maxChange} at once.`)
    .max(maxChange, `At most ${maxChange} at once.`)
    .refine((change) => change !== 0, 'The change must not be 0.'),
  transactionType: z.enum(adjustmentTypes, { error: `It must be one of ${adjustmentTypes.join(', ')}.` }),
  notes: z
    .string({ error: 'Please write text.' })
    .nullable()
    .transform((text) => (text === null || isBlank(text) ? null : typedLines(text)))
    .refine(
      (text) => text === null || text.length <= maxNotes,
      `Please shorten it to ${maxNotes} characters.`,
    )
    .default(null),
})

export type Adjustment = z.output<typeof adjustmentSchema>
