import { suggestManufacturers } from '#server/catalog/resolve-manufacturer.ts'
import { apiLoader, jsonReply, methodNotAllowed } from '../../http/api.server.ts'

/** Suggestions for the Manufacturer field. */
export const loader = apiLoader(async (ctx, { request, url }) =>
  jsonReply(request, { manufacturers: await suggestManufacturers(ctx, url.searchParams.get('q') ?? '') }),
)

export const action = methodNotAllowed('GET')
