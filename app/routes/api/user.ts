import { userChangesSchema } from '#domain/accounts/profile.ts'
import { deleteUserWithChecks } from '#server/second-checks/change-account.ts'
import { updateUser, getUser, requireUserExists } from '#server/accounts/update-user.ts'
import { apiAction, withJson, withoutBody } from '../../http/api-action.server.ts'
import { apiLoader, privateReply } from '../../http/api.server.ts'
import { userReply } from '../../http/user-reply.server.ts'

/** For the user themselves and for admins. */
export const loader = apiLoader(async (ctx, { params }) =>
  privateReply(userReply((await getUser(ctx, params['id'] ?? '')).person)),
)

export const action = apiAction(
  {
    PATCH: withJson({
      for: 'customers.manage',
      schema: (ctx) => userChangesSchema(ctx.now),
      find: (ctx, { params }) => requireUserExists(ctx, params['id'] ?? ''),
      run: async (ctx, changes, { params }) =>
        privateReply(userReply((await updateUser(ctx, params['id'] ?? '', changes)).person)),
    }),
    DELETE: withoutBody({
      for: 'customers.manage',
      run: async (ctx, { params }) => {
        // The contract documents it as one call, so it needs no confirmation.
        await deleteUserWithChecks(ctx, { userId: params['id'] ?? '', isConfirmed: true })
        return new Response(null, { status: 204 })
      },
    }),
  },
  ['GET'],
)
