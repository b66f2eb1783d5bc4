import { listAddresses } from '#server/accounts/list-addresses.ts'
import { apiLoader, methodNotAllowed, privateReply } from '../../http/api.server.ts'

export const loader = apiLoader(async (ctx) => privateReply(await listAddresses(ctx)))

export const action = methodNotAllowed('GET')
