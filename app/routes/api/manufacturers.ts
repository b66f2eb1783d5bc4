import { listManufacturers } from '#server/catalog/choose-manufacturer.ts'
import { apiLoader, jsonReply, onlyMethods } from '../../lib/api.server.ts'

/** Everyone gets ids and names (docs: what only administrators see comes with the back office). */
export const loader = apiLoader(async (ctx, { request }) => jsonReply(request, await listManufacturers(ctx)))

export const action = onlyMethods('GET')
