import { getProfile } from '#server/accounts/get-profile.ts'
import { apiLoader, methodNotAllowed, privateReply } from '../../http/api.server.ts'
import { userReply } from '../../http/user-reply.server.ts'

/** The signed-in user's entire profile. */
export const loader = apiLoader(async (ctx) => privateReply(userReply(await getProfile(ctx))))

export const action = methodNotAllowed('GET')
