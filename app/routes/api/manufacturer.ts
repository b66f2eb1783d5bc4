import { manufacturerChangesSchema } from '#domain/manufacturer-fields.ts'
import {
  deleteManufacturer,
  readManufacturer,
  updateManufacturer,
} from '#server/catalog/edit-manufacturer.ts'
import { apiAction, withJson, withoutBody } from '../../lib/api-action.server.ts'
import { onlyMethods, privateReply } from '../../lib/api.server.ts'
import { manufacturerReply } from '../../lib/manufacturer-reply.server.ts'

export const loader = onlyMethods('PATCH', 'DELETE')

export const action = apiAction({
  PATCH: withJson({
    for: 'admin',
    schema: manufacturerChangesSchema,
    find: (ctx, { params }) => readManufacturer(ctx, params['id'] ?? ''),
    run: async (ctx, changes, { params }) =>
      privateReply(manufacturerReply(await updateManufacturer(ctx, { id: params['id'] ?? '', ...changes }))),
  }),
  DELETE: withoutBody({
    for: 'admin',
    run: async (ctx, { params }) => {
      await deleteManufacturer(ctx, params['id'] ?? '')
      return new Response(null, { status: 204 })
    },
  }),
})
