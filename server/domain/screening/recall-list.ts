import { z } from 'zod'
import { gridQuerySchema } from '../grid.ts'

/** The list of recalls. The search finds numbers of recalls and descriptions of products. */
export const recallQuerySchema = gridQuerySchema({
  sorts: ['reported'],
  sort: 'reported',
  dir: 'desc',
  filters: {
    /** Only recalls that are not completed or terminated. */
    show: z.enum(['all', 'ongoing']).catch('all'),
  },
})
export type RecallQuery = z.output<typeof recallQuerySchema>
