import { listPharmacies } from '#server/partners/save-pharmacy.ts'
import { apiLoader, onlyMethods, privateReply } from '../../http/api.server.ts'

export const loader = apiLoader(async (ctx) => privateReply(await listPharmacies(ctx)))

export const action = onlyMethods('GET')
