import { suggestProducts } from '#server/catalog/suggest-products.ts'
import { apiLoader, jsonReply, onlyMethods } from '../../lib/api.server.ts'

/** What the search box offers as one types. */
export const loader = apiLoader(async (ctx, { request, url }) =>
  jsonReply(request, { suggestions: await suggestProducts(ctx, url.searchParams.get('q') ?? '') }),
)

export const action = onlyMethods('GET')
