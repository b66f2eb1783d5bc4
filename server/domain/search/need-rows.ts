import { z } from 'zod'
import type { NeedClass } from './needs.ts'

/** The list of rows that staff see, by what was decided on them. */
export const needViews = ['open', 'reviewed', 'rejected'] as const

export const needRowQuerySchema = z.object({
  show: z.enum(needViews).catch('open'),
  q: z.string().trim().max(100).catch(''),
  page: z.coerce.number().int().min(1).max(1000).catch(1),
})
export type NeedRowQuery = z.infer<typeof needRowQuerySchema>

/** A row as its page shows it. */
export type NeedRow = Omit<NeedClass, 'reviewer'> & {
  key: string
  term: string
  /** Who decided, by name, and when (ISO 8601). */
  decided: { by: string; at: string } | null
}

/** What a pharmacist decides on a row. */
export const needDecisionSchema = z.object({
  key: z.string().min(1).max(400),
  status: z.enum(['reviewed', 'rejected'], { error: 'Choose one.' }),
})
export type NeedDecision = z.infer<typeof needDecisionSchema>
