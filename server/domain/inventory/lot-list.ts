import { z } from 'zod'
import { gridQuerySchema } from '../grid.ts'
import { expiryRanges, lotViews } from './inventory-messages.ts'
import { quantityField, requestKeyField } from '../form-fields.ts'
import { lotReasonField } from './lot-fields.ts'
import type { LotStatus } from './lots.ts'

/** The list of lots. The search finds lot numbers and names of products. */
export const lotQuerySchema = gridQuerySchema({
  sorts: ['expires', 'lot', 'product', 'quantity'],
  sort: 'expires',
  dir: 'asc',
  filters: {
    show: z.enum(lotViews).catch('available'),
    /** Days from today; null for all. */
    days: z.coerce.number().pipe(z.literal(expiryRanges)).nullable().catch(null),
    /** A variant's id or the typed part of its name. */
    variant: z.string().trim().max(200).catch(''),
  },
})
export type LotQuery = z.output<typeof lotQuerySchema>

/** A lot for the back office. */
export type LotView = {
  id: string
  lotNumber: string
  /** YYYY-MM-DD. */
  expiresOn: string
  /** Until the last day of use; negative when it has passed. */
  daysLeft: number
  quantity: number
  status: LotStatus
  variantId: string
  productName: string
  /** "Advil, 200 mg, 24 tablet". */
  label: string
}

/** Why staff quarantine or release a lot. */
export const lotReasonSchema = z.object({ reason: lotReasonField })

/** How many units of a lot staff write off, and why. */
export const writeOffSchema = z.object({
  quantity: quantityField,
  /** The version of the lot that the form showed. No lot has version 0. */
  version: z.coerce.number().pipe(z.int32()).catch(0),
  reason: lotReasonField,
  requestKey: requestKeyField,
})
export type WriteOff = z.output<typeof writeOffSchema>

/** The lot that staff chose for a line; without one, the lot that expires first is picked. */
export const lotChoiceSchema = z.object({
  lineId: z.string({ error: 'Choose a line of this order.' }),
  lotId: z
    .string()
    .optional()
    .transform((id) => id || null),
})
