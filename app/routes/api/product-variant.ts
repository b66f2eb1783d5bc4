import { variantChangesSchema } from '#domain/catalog/variant-fields.ts'
import { toVariantReply } from '#server/catalog/admin-variant.ts'
import { requireVariant, updateVariant } from '#server/catalog/update-variant.ts'
import { apiAction, withJson } from '../../http/api-action.server.ts'
import { methodNotAllowed, privateReply } from '../../http/api.server.ts'

export const loader = methodNotAllowed('PATCH')

export const action = apiAction({
  PATCH: withJson({
    for: 'catalog.write',
    schema: variantChangesSchema,
    find: (ctx, { params }) => requireVariant(ctx, params['id'] ?? ''),
    run: async (ctx, changes, { params }) =>
      privateReply(toVariantReply(ctx, await updateVariant(ctx, params['id'] ?? '', changes))),
  }),
})
