import { suggestProducts } from '#server/search/suggest-products.ts'
import { apiLoader, jsonReply, onlyMethods } from '../../http/api.server.ts'

/** What the search box offers as one types. */
export const loader = apiLoader(async (ctx, { request, url }) =>
  jsonReply(request, { suggestions: await suggestProducts(ctx, url.searchParams.get('q') ?? '') }),
)

export const action = onlyMethods('GET')
