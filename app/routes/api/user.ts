import { userChanges } from '#domain/accounts/profile.ts'
import { deleteUser } from '#server/accounts/delete-user.ts'
import { editUser, readUser, requireUserRow } from '#server/accounts/update-user.ts'
import { apiAction, withJson, withoutBody } from '../../http/api-action.server.ts'
import { apiLoader, privateReply } from '../../http/api.server.ts'
import { userReply } from '../../http/user-reply.server.ts'

/** For themself and for admins. */
export const loader = apiLoader(async (ctx, { params }) =>
  privateReply(userReply((await readUser(ctx, params['id'] ?? '')).person)),
)

export const action = apiAction(
  {
    PATCH: withJson({
      for: 'admin',
      schema: (ctx) => userChanges(ctx.now),
      find: (ctx, { params }) => requireUserRow(ctx, params['id'] ?? ''),
      run: async (ctx, changes, { params }) =>
        privateReply(userReply((await editUser(ctx, params['id'] ?? '', changes)).person)),
    }),
    DELETE: withoutBody({
      for: 'admin',
      run: async (ctx, { params }) => {
        await deleteUser(ctx, params['id'] ?? '')
        return new Response(null, { status: 204 })
      },
    }),
  },
  ['GET'],
)
