import { illustrateVariant } from '#server/catalog/illustrate-variant.ts'
import { apiLoader, methodNotAllowed } from '../../http/api.server.ts'

/**
 * `/img/v/{variantId}.svg?v={hash}`: cached forever under its own hash, for an hour under any
 * other.
 */
export const loader = apiLoader(async (ctx, { params, url }) => {
  const { svg, hash } = await illustrateVariant(ctx, (params.file ?? '').replace(/\.svg$/, ''))
  return new Response(svg, {
    headers: {
      'Content-Type': 'image/svg+xml; charset=utf-8',
      'Cache-Control':
        url.searchParams.get('v') === hash ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  })
})

export const action = methodNotAllowed('GET')
