import { newProductSchema } from '#domain/catalog/product-fields.ts'
import { createProductByKey } from '#server/catalog/create-by-key.ts'
import { streamProducts, listFingerprint, listProductsPage } from '#server/catalog/list-products.ts'
import { apiAction, withJson } from '../../http/api-action.server.ts'
import {
  apiLoader,
  jsonReply,
  nextLink,
  privateReply,
  readPaging,
  streamReply,
} from '../../http/api.server.ts'
import { readCreationKey } from '../../http/idempotency-key.server.ts'

export const loader = apiLoader(async (ctx, { request, url }) => {
  const { limit, after } = readPaging(url)
  const variants = url.searchParams.get('include') === 'variants'
  if (limit === null) {
    return streamReply(request, await listFingerprint(ctx), await streamProducts(ctx, { after, variants }))
  }
  const products = await listProductsPage(ctx, { after, limit, variants })
  return jsonReply(request, products, nextLink(url, products, limit))
})

export const action = apiAction(
  {
    POST: withJson({
      for: 'catalog.write',
      schema: newProductSchema,
      run: async (ctx, input, { request }) =>
        privateReply(await createProductByKey(ctx, input, readCreationKey(request)), 201),
    }),
  },
  ['GET'],
)
