import { importLineQuerySchema } from '#domain/catalog/import-lines.ts'
import { listImportLines, getImportProgress } from '../catalog/csv/get-import.ts'
import { adminProcedure, router } from './init.ts'
import { gridInput, idSchema } from './inputs.ts'

export const importsRouter = router({
  progress: adminProcedure.input(idSchema).query(({ ctx, input }) => getImportProgress(ctx, input.id)),
  lines: adminProcedure
    .input(idSchema.extend({ query: gridInput(importLineQuerySchema) }))
    .query(({ ctx, input }) => listImportLines(ctx, input.id, input.query)),
})
