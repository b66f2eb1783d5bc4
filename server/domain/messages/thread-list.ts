import type { z } from 'zod'
import { gridQuerySchema } from '../grid.ts'

/** The list of threads that wait for the pharmacy: the longest wait first, or the newest. */
export const threadQuerySchema = gridQuerySchema({
  sorts: ['waiting'],
  sort: 'waiting',
  dir: 'asc',
  filters: {},
})
export type ThreadQuery = z.output<typeof threadQuerySchema>
