import { readProfile } from '#server/accounts/read-profile.ts'
import { apiLoader, onlyMethods, privateReply } from '../../lib/api.server.ts'
import { userReply } from '../../lib/user-reply.server.ts'

/** The whole own profile. */
export const loader = apiLoader(async (ctx) => privateReply(userReply(await readProfile(ctx))))

export const action = onlyMethods('GET')
