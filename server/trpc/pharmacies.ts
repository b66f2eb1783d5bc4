import { newPharmacySchema, pharmacyChangesSchema, pharmacyQuerySchema } from '#domain/pharmacy-fields.ts'
import { createPharmacy, listPharmaciesPage, updatePharmacy } from '../catalog/edit-pharmacy.ts'
import { adminProcedure, router } from './init.ts'
import { gridInput, versionedSchema } from './inputs.ts'

export const pharmaciesRouter = router({
  list: adminProcedure
    .input(gridInput(pharmacyQuerySchema))
    .query(({ ctx, input }) => listPharmaciesPage(ctx, input)),
  create: adminProcedure.input(newPharmacySchema).mutation(({ ctx, input }) => createPharmacy(ctx, input)),
  update: adminProcedure
    .input(versionedSchema.extend(pharmacyChangesSchema.shape))
    .mutation(({ ctx, input }) => updatePharmacy(ctx, input)),
})
