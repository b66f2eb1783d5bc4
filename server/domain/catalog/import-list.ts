import type { z } from 'zod'
import { gridQuerySchema } from '../grid.ts'

/** The list of uploaded files, newest first. */
export const importQuerySchema = gridQuerySchema({
  sorts: ['uploaded'],
  sort: 'uploaded',
  dir: 'desc',
  size: 25,
  filters: {},
})
export type ImportQuery = z.output<typeof importQuerySchema>
