import { paths } from '#domain/paths.ts'
import { decisionSchema } from '#domain/prescriptions/prescription-details.ts'
import { decidePrescription } from '#server/prescriptions/decide-prescription.ts'
import { deletePrescription } from '#server/prescriptions/delete-prescription.ts'
import { getForReview } from '#server/prescriptions/get-for-review.ts'
import { apiAction, withJson, withoutBody } from '../../http/api-action.server.ts'
import { methodNotAllowed, privateReply } from '../../http/api.server.ts'
import { prescriptionReply } from '../../http/prescription-reply.server.ts'

export const loader = methodNotAllowed('PATCH', 'DELETE')

export const action = apiAction({
  PATCH: withJson({
    for: 'prescriptions.review',
    schema: decisionSchema,
    find: (ctx, { params }) => getForReview(ctx, params['id'] ?? ''),
    run: async (ctx, decision, { params, env }) => {
      const link = env.publicOrigin + paths.prescriptions
      return privateReply(
        prescriptionReply(await decidePrescription(ctx, params['id'] ?? '', decision, { link })),
      )
    },
  }),
  DELETE: withoutBody({
    for: 'user',
    run: async (ctx, { params }) => {
      await deletePrescription(ctx, params['id'] ?? '')
      return new Response(null, { status: 204 })
    },
  }),
})
