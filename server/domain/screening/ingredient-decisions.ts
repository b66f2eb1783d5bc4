import { z } from 'zod'
import { cleanLine } from '../clean-text.ts'
import { toNameKey } from './product-ingredients.ts'

const name = z
  .string({ error: 'Reload the page and try again.' })
  .min(1, 'Reload the page and try again.')
  .max(1000, 'Reload the page and try again.')

/** What a catalog manager says a name means: an ingredient of the lists, or none of them. */
export const nameDecisionSchema = z.object({
  name,
  ingredient: z
    .string({ error: 'Enter an ingredient.' })
    .max(300, 'Enter at most 300 characters.')
    .transform((text) => toNameKey(cleanLine(text)))
    .refine((text) => text !== '', 'Enter an ingredient.'),
})

export const nameSchema = z.object({ name })
