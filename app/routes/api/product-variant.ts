import { variantChangesSchema } from '#domain/catalog/variant-fields.ts'
import { requireVariant, updateVariant } from '#server/catalog/update-variant.ts'
import { apiAction, withJson } from '../../http/api-action.server.ts'
import { onlyMethods, privateReply } from '../../http/api.server.ts'

export const loader = onlyMethods('PATCH')

export const action = apiAction({
  PATCH: withJson({
    for: 'admin',
    schema: variantChangesSchema,
    find: (ctx, { params }) => requireVariant(ctx, params['id'] ?? ''),
    run: async (ctx, changes, { params }) =>
      privateReply(await updateVariant(ctx, params['id'] ?? '', changes)),
  }),
})
