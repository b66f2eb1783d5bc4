import { replaceIdDocument } from '#server/accounts/id-document.ts'
import { z } from 'zod'
import { apiAction, withJson } from '../../http/api-action.server.ts'
import { methodNotAllowed, privateReply } from '../../http/api.server.ts'
import { userReply } from '../../http/user-reply.server.ts'

const schema = z.object({ idDocumentURL: z.string().max(2000) })

export const loader = methodNotAllowed('PUT')

export const action = apiAction({
  PUT: withJson({
    for: 'user',
    schema,
    run: async (ctx, { idDocumentURL }) =>
      privateReply({ user: userReply(await replaceIdDocument(ctx, idDocumentURL)) }),
  }),
})
