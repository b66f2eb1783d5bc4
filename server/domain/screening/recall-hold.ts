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

/** A count of units. Digits only: a number would also be read from "1e1". */
const countField = (invalid: string, tooSmall: string) =>
  z
    .string({ error: invalid })
    .trim()
    .regex(/^\d{1,9}$/, invalid)
    .transform(Number)
    .pipe(z.int().min(1, tooSmall))

/** An open page of the release before sends no `held`. */
const reloadMessage = 'Reload the page and try again.'

/** The form that ends a hold, or a part of it. */
export const endHoldSchema = z.object({
  variantId: z.string().max(100),
  /** How many units the form showed as held. */
  held: countField(reloadMessage, reloadMessage),
  quantity: countField('Enter a whole number.', 'Enter at least 1.'),
  outcome: z
    .string({ error: 'Choose what happened to the units.' })
    .max(20)
    .refine(isOutcome, 'Choose what happened to the units.'),
  reason: lotReasonField,
})
export type EndHold = z.output<typeof endHoldSchema>
