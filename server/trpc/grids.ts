import { z } from 'zod'
import { saveHiddenColumns } from '../grids/hidden-columns.ts'
import { staffProcedure, router } from './init.ts'

const name = z.string().min(1).max(50)

export const gridsRouter = router({
  hideColumns: staffProcedure
    .input(z.object({ grid: name, columns: z.array(name).max(50) }))
    .mutation(({ ctx, input }) => saveHiddenColumns(ctx, input)),
})
