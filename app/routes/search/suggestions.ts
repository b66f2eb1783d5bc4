import { suggestProducts } from '#server/search/suggest-products.ts'
import { apiLoader, jsonReply, methodNotAllowed } from '../../http/api.server.ts'

/** Suggestions for the search box. */
export const loader = apiLoader(async (ctx, { request, url }) =>
  jsonReply(request, { suggestions: await suggestProducts(ctx, url.searchParams.get('q') ?? '') }),
)

export const action = methodNotAllowed('GET')
