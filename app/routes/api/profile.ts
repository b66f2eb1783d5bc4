import { profileChangesSchema } from '#domain/accounts/profile.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import { apiAction, withJson } from '../../http/api-action.server.ts'
import { methodNotAllowed, privateReply } from '../../http/api.server.ts'
import { userReply } from '../../http/user-reply.server.ts'

export const loader = methodNotAllowed('PATCH')

export const action = apiAction({
  PATCH: withJson({
    for: 'user',
    schema: (ctx) => profileChangesSchema(ctx.now),
    run: async (ctx, changes) => privateReply(userReply(await updateProfile(ctx, changes))),
  }),
})
