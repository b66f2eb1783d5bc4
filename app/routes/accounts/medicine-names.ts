import { addInputSchema } from '#domain/patients/patient-inputs.ts'
import { toNameView } from '#domain/patients/patient-view.ts'
import { suggestMedicineNames } from '#server/screening/medicine-names.ts'
import { apiAction, withJson } from '../../http/api-action.server.ts'
import { methodNotAllowed, privateReply } from '../../http/api.server.ts'

export const loader = methodNotAllowed('POST')

/** Names while someone types into a list of their record: health data, so it is in the body. */
export const action = apiAction({
  POST: withJson({
    for: 'user',
    schema: addInputSchema.pick({ list: true, name: true }),
    run: async (ctx, { list, name }) =>
      privateReply({
        names: (await suggestMedicineNames(ctx, list, name)).map((one) => toNameView(list, one)),
      }),
  }),
})
