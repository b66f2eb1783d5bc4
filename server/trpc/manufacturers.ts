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
import { procedureFor, router } from './init.ts'
import { gridInput, idSchema, versionedSchema } from './inputs.ts'

export const manufacturersRouter = router({
  list: procedureFor('catalog.write')
    .input(gridInput(manufacturerQuerySchema))
    .query(({ ctx, input }) => listAdminManufacturers(ctx, input)),
  create: procedureFor('catalog.write')
    .input(newManufacturerSchema)
    .mutation(({ ctx, input }) => createManufacturer(ctx, input)),
  update: procedureFor('catalog.write')
    .input(versionedSchema.extend(manufacturerChangesSchema.shape))
    .mutation(({ ctx, input }) => updateManufacturer(ctx, input)),
  delete: procedureFor('catalog.write')
    .input(idSchema)
    .mutation(({ ctx, input }) => deleteManufacturer(ctx, input.id)),
})
