import { apiLoader, methodNotAllowed, textReply } from '../../http/api.server.ts'
import { privatePaths } from './public-pages.ts'

/** Crawler rules (RFC 9309) and the sitemap's address. */
export const loader = apiLoader(async (_ctx, { request, env }) => {
  const lines = [
    'User-agent: *',
    ...privatePaths.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${env.publicOrigin}/sitemap.xml`,
    '',
  ].join('\n')
  return textReply(request, lines)
})

export const action = methodNotAllowed('GET')
