import { z } from 'zod'
import { lineFilters } from './csv-imports.ts'
import { gridQuerySchema } from '../grid.ts'

/** The grid query for the checked lines of an import. */

export const importLineQuerySchema = gridQuerySchema({
  sorts: ['line'],
  sort: 'line',
  dir: 'asc',
  filters: { outcome: z.enum(lineFilters).optional().catch(undefined) },
})
export type ImportLineQuery = z.output<typeof importLineQuerySchema>
