import { paths } from '#domain/paths.ts'
import { issueTicket } from '#server/files/upload-ticket.ts'
import { apiAction, withoutBody } from '../../http/api-action.server.ts'
import { methodNotAllowed, privateReply } from '../../http/api.server.ts'

export const loader = methodNotAllowed('POST')

export const action = apiAction({
  POST: withoutBody({
    for: 'user',
    run: async (ctx, { url, env }) => {
      const { id, expires, signature } = await issueTicket(ctx)
      // Dev and demo accept every loopback name, and a browser treats each as a different site.
      const origin = env.mode === 'production' ? env.publicOrigin : url.origin
      const uploadURL = new URL(paths.api.uploadTicket(id), origin)
      uploadURL.searchParams.set('expires', String(expires))
      uploadURL.searchParams.set('signature', signature)
      return privateReply({ uploadURL: uploadURL.href })
    },
  }),
})
