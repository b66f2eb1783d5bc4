import { z } from 'zod'
import { adjustmentTypes, maxChange, maxNotes } from './inventory.ts'
import { isBlank, cleanLines } from '../clean-text.ts'
import { expiryDateField, lotNumberField } from './lot-fields.ts'

const wholeNumber = 'Enter a whole number.'
const changeTooLarge = `The largest change is ${maxChange.toLocaleString('en-US')} units.`

/** An admin's adjustment of a variant's stock (specification, sections 5 and 7). */
export const adjustmentSchema = z
  .object({
    variantId: z.string({ error: 'Please select a variant.' }).min(1, 'Please select a variant.'),
    quantityChange: z
      .number({ error: wholeNumber })
      .int(wholeNumber)
      .min(-maxChange, changeTooLarge)
      .max(maxChange, changeTooLarge)
      .refine((change) => change !== 0, 'Enter a number other than 0.'),
    transactionType: z.enum(adjustmentTypes, { error: `Choose one of ${adjustmentTypes.join(', ')}.` }),
    notes: z
      .string({ error: 'Enter text.' })
      .nullable()
      .transform((text) => (text === null || isBlank(text) ? null : cleanLines(text)))
      .refine((text) => text === null || text.length <= maxNotes, `Enter at most ${maxNotes} characters.`)
      .default(null),
    /** The lot of the units; null when they are in no lot. */
    lotNumber: lotNumberField,
    /** Only needed for a new lot. */
    expiryDate: expiryDateField,
  })
  .refine(({ lotNumber, expiryDate }) => lotNumber !== null || expiryDate === null, {
    path: ['lotNumber'],
    error: 'Enter the number of the lot that has this expiry date.',
  })

/** The same from a form of the back office. */
export const adjustmentFormSchema = adjustmentSchema.safeExtend({
  /**
   * Names this submission: a second one with the same key changes nothing. A random UUID reveals no
   * time.
   */
  requestKey: z.uuidv4().optional(),
  /** For an undo: keeps the variant off sale when its stock rises above 0. */
  keepsOffSale: z.boolean().optional(),
})

export type Adjustment = z.output<typeof adjustmentSchema>
