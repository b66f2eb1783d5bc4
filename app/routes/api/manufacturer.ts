import { manufacturerChangesSchema } from '#domain/catalog/manufacturer-fields.ts'
import { deleteManufacturer, getManufacturer, updateManufacturer } from '#server/catalog/save-manufacturer.ts'
import { apiAction, withJson, withoutBody } from '../../http/api-action.server.ts'
import { methodNotAllowed, privateReply } from '../../http/api.server.ts'
import { manufacturerReply } from '../../http/manufacturer-reply.server.ts'

export const loader = methodNotAllowed('PATCH', 'DELETE')

export const action = apiAction({
  PATCH: withJson({
    for: 'catalog.write',
    schema: manufacturerChangesSchema,
    find: (ctx, { params }) => getManufacturer(ctx, params['id'] ?? ''),
    run: async (ctx, changes, { params }) =>
      privateReply(manufacturerReply(await updateManufacturer(ctx, { id: params['id'] ?? '', ...changes }))),
  }),
  DELETE: withoutBody({
    for: 'catalog.write',
    run: async (ctx, { params }) => {
      await deleteManufacturer(ctx, params['id'] ?? '')
      return new Response(null, { status: 204 })
    },
  }),
})
