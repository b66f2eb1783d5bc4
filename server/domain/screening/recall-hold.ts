import { z } from 'zod'
import { countField, quantityField, reloadMessage, requestKeyField } from '../form-fields.ts'
import { lotReasonField } from '../inventory/lot-fields.ts'

/** What becomes of units that a recall holds. */
export const holdOutcomes = {
  destroyed: 'Destroyed',
  supplier: 'Returned to the supplier',
  stock: 'Returned to stock',
} as const
export type HoldOutcome = keyof typeof holdOutcomes

const isOutcome = (value: string): value is HoldOutcome => Object.hasOwn(holdOutcomes, value)

/** The form that ends a hold, or a part of it. */
export const endHoldSchema = z.object({
  variantId: z.string().max(100),
  /** How many units the form showed as held. */
  held: countField(reloadMessage, reloadMessage),
  quantity: quantityField,
  outcome: z
    .string({ error: 'Choose what happened to the units.' })
    .max(20)
    .refine(isOutcome, 'Choose what happened to the units.'),
  reason: lotReasonField,
  requestKey: requestKeyField,
})
export type EndHold = z.output<typeof endHoldSchema>
