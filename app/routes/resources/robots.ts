import { apiLoader, onlyMethods, textReply } from '../../http/api.server.ts'
import { privatePaths } from './public-pages.ts'

/** What crawlers may read (RFC 9309), and where the sitemap is. */
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

export const action = onlyMethods('GET')
