import { newPrescriptionSchema } from '#domain/prescriptions/prescription-details.ts'
import { createPrescription } from '#server/prescriptions/create-prescription.ts'
import { listPrescriptions } from '#server/prescriptions/list-prescriptions.ts'
import { apiAction, withJson } from '../../http/api-action.server.ts'
import { apiLoader, privateReply } from '../../http/api.server.ts'
import { prescriptionReply } from '../../http/prescription-reply.server.ts'

export const loader = apiLoader(async (ctx) =>
  privateReply((await listPrescriptions(ctx)).map(prescriptionReply)),
)

export const action = apiAction(
  {
    POST: withJson({
      for: 'user',
      schema: newPrescriptionSchema,
      run: async (ctx, input) => privateReply(prescriptionReply(await createPrescription(ctx, input)), 201),
    }),
  },
  ['GET'],
)
