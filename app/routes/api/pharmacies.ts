import { listPharmacies } from '#server/catalog/edit-pharmacy.ts'
import { apiLoader, onlyMethods, privateReply } from '../../lib/api.server.ts'

export const loader = apiLoader(async (ctx) => privateReply(await listPharmacies(ctx)))

export const action = onlyMethods('GET')
