import { listManufacturers } from '#server/catalog/choose-manufacturer.ts'
import { apiLoader, jsonReply, onlyMethods } from '../../lib/api.server.ts'

/** Everyone gets ids and names alone. */
export const loader = apiLoader(async (ctx, { request }) => jsonReply(request, await listManufacturers(ctx)))

export const action = onlyMethods('GET')
