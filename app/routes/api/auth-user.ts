import { getProfile } from '#server/accounts/get-profile.ts'
import { apiLoader, onlyMethods, privateReply } from '../../http/api.server.ts'
import { userReply } from '../../http/user-reply.server.ts'

/** The whole own profile. */
export const loader = apiLoader(async (ctx) => privateReply(userReply(await getProfile(ctx))))

export const action = onlyMethods('GET')
