import type { Env } from '#server/env.ts'
import { apiLoader, jsonReply, methodNotAllowed } from '../../http/api.server.ts'
import { sessionCookieName } from '../../http/cookies.server.ts'
import { buildDocument } from './openapi/document.ts'

/** Building it takes as long as several pages, and it does not change while the shop runs. */
const documents = new WeakMap<Env, object>()

/** The OpenAPI document of /api. */
export const loader = apiLoader(async (ctx, { request, env }) => {
  const document =
    documents.get(env) ?? buildDocument(ctx, { origin: env.publicOrigin, cookie: sessionCookieName(env) })
  documents.set(env, document)
  return jsonReply(request, document)
})

export const action = methodNotAllowed('GET')
