import { z } from 'zod'
import { lotReasonField } from '../inventory/lot-fields.ts'

/** What becomes of units that a recall holds. */
export const holdOutcomes = {
  destroyed: 'Destroyed',
  supplier: 'Returned to the supplier',
  stock: 'Returned to the stock',
} as const
export type HoldOutcome = keyof typeof holdOutcomes

const isOutcome = (value: string): value is HoldOutcome => Object.hasOwn(holdOutcomes, value)

/** The form that ends a hold, or a part of it. */
export const endHoldSchema = z.object({
  variantId: z.string().max(100),
  /** How many units the form showed as held. */
  held: z.coerce.number().pipe(z.int32().positive()),
  quantity: z
    .number({ error: 'Enter a whole number.' })
    .int('Enter a whole number.')
    .min(1, 'Enter at least 1.'),
  outcome: z
    .string({ error: 'Choose what happened to the units.' })
    .max(20)
    .refine(isOutcome, 'Choose what happened to the units.'),
  reason: lotReasonField,
})
export type EndHold = z.output<typeof endHoldSchema>
