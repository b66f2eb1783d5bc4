import { getProduct } from '#server/catalog/list-products.ts'
import { apiLoader, jsonReply, onlyMethods } from '../../lib/api.server.ts'

export const loader = apiLoader(async (ctx, { request, params, url }) =>
  jsonReply(
    request,
    await getProduct(ctx, params.id ?? '', { variants: url.searchParams.get('include') === 'variants' }),
  ),
)

export const action = onlyMethods('GET')
