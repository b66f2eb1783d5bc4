import {
  newPharmacySchema,
  pharmacyChangesSchema,
  pharmacyQuerySchema,
} from '#domain/partners/pharmacy-fields.ts'
import {
  createPharmacy,
  listPharmaciesPage,
  listExpiringPharmacies,
  updatePharmacy,
} from '../partners/save-pharmacy.ts'
import { adminProcedure, router } from './init.ts'
import { gridInput, versionedSchema } from './inputs.ts'

export const pharmaciesRouter = router({
  list: adminProcedure
    .input(gridInput(pharmacyQuerySchema))
    .query(({ ctx, input }) => listPharmaciesPage(ctx, input)),
  expiring: adminProcedure.query(({ ctx }) => listExpiringPharmacies(ctx)),
  create: adminProcedure.input(newPharmacySchema).mutation(({ ctx, input }) => createPharmacy(ctx, input)),
  update: adminProcedure
    .input(versionedSchema.extend(pharmacyChangesSchema.shape))
    .mutation(({ ctx, input }) => updatePharmacy(ctx, input)),
})
