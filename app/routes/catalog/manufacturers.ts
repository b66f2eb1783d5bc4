import { suggestManufacturers } from '#server/catalog/resolve-manufacturer.ts'
import { apiLoader, jsonReply, onlyMethods } from '../../http/api.server.ts'

/** What the field Manufacturer offers as one types. */
export const loader = apiLoader(async (ctx, { request, url }) =>
  jsonReply(request, { manufacturers: await suggestManufacturers(ctx, url.searchParams.get('q') ?? '') }),
)

export const action = onlyMethods('GET')
