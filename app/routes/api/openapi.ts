import { apiLoader, jsonReply, methodNotAllowed } from '../../http/api.server.ts'
import { sessionCookieName } from '../../http/cookies.server.ts'
import { buildDocument } from './openapi/document.ts'

/** The OpenAPI document of /api. */
export const loader = apiLoader(async (ctx, { request, env }) =>
  jsonReply(request, buildDocument(ctx, { origin: env.publicOrigin, cookie: sessionCookieName(env) })),
)

export const action = methodNotAllowed('GET')
