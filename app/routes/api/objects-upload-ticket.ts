import { receiveAtUploadUrl } from '#server/files/receive-upload.ts'
import { apiAction, withoutBody } from '../../http/api-action.server.ts'
import { methodNotAllowed, privateReply } from '../../http/api.server.ts'

const wholeNumber = /^\d{1,15}$/
const numberOf = (text: string | null): number | null =>
  text && wholeNumber.test(text) ? Number(text) : null

export const loader = methodNotAllowed('PUT')

/** The body is the file itself. Its content decides its type; the declared type is ignored. */
export const action = apiAction({
  PUT: withoutBody({
    for: 'user',
    run: async (ctx, { params, url, request }) => {
      const ticket = {
        id: params['ticket'] ?? '',
        expires: numberOf(url.searchParams.get('expires')) ?? 0,
        signature: url.searchParams.get('signature') ?? '',
      }
      const declaredBytes = numberOf(request.headers.get('content-length'))
      return privateReply({
        url: await receiveAtUploadUrl(ctx, ticket, { body: request.body, declaredBytes }),
      })
    },
  }),
})
