import {
  manufacturerChangesSchema,
  manufacturerQuerySchema,
  newManufacturerSchema,
} from '#domain/catalog/manufacturer-fields.ts'
import {
  createManufacturer,
  deleteManufacturer,
  listAdminManufacturers,
  updateManufacturer,
} from '../catalog/save-manufacturer.ts'
import { adminProcedure, router } from './init.ts'
import { gridInput, idSchema, versionedSchema } from './inputs.ts'

export const manufacturersRouter = router({
  list: adminProcedure
    .input(gridInput(manufacturerQuerySchema))
    .query(({ ctx, input }) => listAdminManufacturers(ctx, input)),
  create: adminProcedure
    .input(newManufacturerSchema)
    .mutation(({ ctx, input }) => createManufacturer(ctx, input)),
  update: adminProcedure
    .input(versionedSchema.extend(manufacturerChangesSchema.shape))
    .mutation(({ ctx, input }) => updateManufacturer(ctx, input)),
  delete: adminProcedure.input(idSchema).mutation(({ ctx, input }) => deleteManufacturer(ctx, input.id)),
})
