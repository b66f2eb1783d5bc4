import { productChangesSchema } from '#domain/catalog/product-fields.ts'
import { deleteProduct } from '#server/catalog/delete-product.ts'
import { getProduct } from '#server/catalog/get-product.ts'
import { updateProduct } from '#server/catalog/update-product.ts'
import { apiAction, withJson, withoutBody } from '../../http/api-action.server.ts'
import { apiLoader, jsonReply, privateReply } from '../../http/api.server.ts'

export const loader = apiLoader(async (ctx, { request, params, url }) =>
  jsonReply(
    request,
    await getProduct(ctx, params.id ?? '', { variants: url.searchParams.get('include') === 'variants' }),
  ),
)

export const action = apiAction(
  {
    PATCH: withJson({
      for: 'catalog.write',
      schema: productChangesSchema,
      find: (ctx, { params }) => getProduct(ctx, params['id'] ?? '', { variants: false }),
      run: async (ctx, changes, { params }) =>
        privateReply(await updateProduct(ctx, params['id'] ?? '', changes)),
    }),
    DELETE: withoutBody({
      for: 'catalog.write',
      run: async (ctx, { params }) => {
        await deleteProduct(ctx, params['id'] ?? '')
        return new Response(null, { status: 204 })
      },
    }),
  },
  ['GET'],
)
