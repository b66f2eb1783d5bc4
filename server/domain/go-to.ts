import { z } from 'zod'
import { cleanLine } from './clean-text.ts'
import { minGoToLength } from './go-to-results.ts'

export const goToSchema = z.object({
  text: z.string().transform(cleanLine).pipe(z.string().min(minGoToLength).max(200)),
})

/** The number of an order as it is shown, or its whole id. */
export const orderNumber = /^#?([0-9a-f-]{4,36})$/i
