import { variantChangesSchema } from '#domain/catalog/variant-fields.ts'
import { toVariantReply } from '#server/catalog/admin-variant.ts'
import { requireVariant, updateVariant } from '#server/catalog/update-variant.ts'
import { apiAction, withJson } from '../../http/api-action.server.ts'
import { methodNotAllowed, privateReply } from '../../http/api.server.ts'
import { setStockHeaders } from '../../http/deprecated-calls.ts'

export const loader = methodNotAllowed('PATCH')

export const action = apiAction({
  PATCH: withJson({
    for: 'catalog.write',
    schema: variantChangesSchema,
    find: (ctx, { params }) => requireVariant(ctx, params['id'] ?? ''),
    run: async (ctx, changes, { params }) => {
      const row = await updateVariant(ctx, params['id'] ?? '', changes)
      const headers = changes.stockQuantity === undefined ? {} : setStockHeaders()
      return privateReply(toVariantReply(ctx, row), 200, headers)
    },
  }),
})
