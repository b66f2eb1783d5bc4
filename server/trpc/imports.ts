import { importLineQuerySchema } from '#domain/catalog/import-lines.ts'
import { importQuerySchema } from '#domain/catalog/import-list.ts'
import { getImportProgress, listImportLines, listImports } from '../catalog/csv/get-import.ts'
import { procedureFor, router } from './init.ts'
import { gridInput, idSchema } from './inputs.ts'

export const importsRouter = router({
  list: procedureFor('catalog.write')
    .input(gridInput(importQuerySchema))
    .query(({ ctx, input }) => listImports(ctx, input)),
  progress: procedureFor('catalog.write')
    .input(idSchema)
    .query(({ ctx, input }) => getImportProgress(ctx, input.id)),
  lines: procedureFor('catalog.write')
    .input(idSchema.extend({ query: gridInput(importLineQuerySchema) }))
    .query(({ ctx, input }) => listImportLines(ctx, input.id, input.query)),
})
