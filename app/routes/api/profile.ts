import { profileChanges } from '#domain/profile.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import { apiAction, withJson } from '../../lib/api-action.server.ts'
import { onlyMethods, privateReply } from '../../lib/api.server.ts'
import { userReply } from '../../lib/user-reply.server.ts'

export const loader = onlyMethods('PATCH')

export const action = apiAction({
  PATCH: withJson({
    for: 'user',
    schema: (ctx) => profileChanges(ctx.now),
    run: async (ctx, changes) => privateReply(userReply(await updateProfile(ctx, changes))),
  }),
})
