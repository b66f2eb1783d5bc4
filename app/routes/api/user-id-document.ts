import { openIdDocument } from '#server/accounts/id-document.ts'
import { apiLoader, methodNotAllowed } from '../../http/api.server.ts'
import { fileReply } from '../../http/file-reply.server.ts'

/** For its owner and for admins. */
export const loader = apiLoader(async (ctx, { request, params }) =>
  fileReply(request, await openIdDocument(ctx, params['id'] ?? ''), 'id-document'),
)

export const action = methodNotAllowed('GET')
