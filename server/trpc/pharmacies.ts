import {
  newPharmacySchema,
  pharmacyChangesSchema,
  pharmacyQuerySchema,
} from '#domain/partners/pharmacy-fields.ts'
import { requestKeyField } from '#domain/form-fields.ts'
import {
  createPharmacy,
  listPharmaciesPage,
  listExpiringPharmacies,
  updatePharmacy,
} from '../partners/save-pharmacy.ts'
import { procedureFor, router } from './init.ts'
import { gridInput, versionedSchema } from './inputs.ts'

export const pharmaciesRouter = router({
  list: procedureFor('pharmacies.write')
    .input(gridInput(pharmacyQuerySchema))
    .query(({ ctx, input }) => listPharmaciesPage(ctx, input)),
  expiring: procedureFor('pharmacies.write').query(({ ctx }) => listExpiringPharmacies(ctx)),
  create: procedureFor('pharmacies.write')
    .input(newPharmacySchema.extend({ requestKey: requestKeyField }))
    .mutation(({ ctx, input }) => createPharmacy(ctx, input)),
  update: procedureFor('pharmacies.write')
    .input(versionedSchema.extend(pharmacyChangesSchema.shape))
    .mutation(({ ctx, input }) => updatePharmacy(ctx, input)),
})
