import {
  hideColumnsSchema,
  renameViewSchema,
  resizeColumnsSchema,
  saveViewSchema,
} from '#domain/grid-views.ts'
import { saveColumnWidths, saveHiddenColumns } from '../grids/grid-settings.ts'
import { deleteView, renameView, saveView } from '../grids/grid-views.ts'
import { staffProcedure, router } from './init.ts'
import { idSchema } from './inputs.ts'

export const gridsRouter = router({
  hideColumns: staffProcedure
    .input(hideColumnsSchema)
    .mutation(({ ctx, input }) => saveHiddenColumns(ctx, input)),
  resizeColumns: staffProcedure
    .input(resizeColumnsSchema)
    .mutation(({ ctx, input }) => saveColumnWidths(ctx, input)),
  saveView: staffProcedure.input(saveViewSchema).mutation(({ ctx, input }) => saveView(ctx, input)),
  renameView: staffProcedure.input(renameViewSchema).mutation(({ ctx, input }) => renameView(ctx, input)),
  deleteView: staffProcedure.input(idSchema).mutation(({ ctx, input }) => deleteView(ctx, input.id)),
})
