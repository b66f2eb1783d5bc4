import type { Db } from '#db/engine/client.ts'
import { AppError } from '#domain/errors.ts'
import { getClientAsset } from '#server/releases/get-client-asset.ts'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { acceptsGzip } from './accepts-gzip.ts'
import { plainError } from './plain-error.server.ts'

/** For a file whose name contains a hash of its content. */
const immutable = 'public, max-age=31536000, immutable'
const oneDay = 'public, max-age=86400'

/**
 * Serves the files of the client build. A page of another release requests that release's assets,
 * which come from the database (docs/decisions/0059-assets-of-other-releases.md).
 * @param folder the client build
 */
export function clientFileRoutes(folder: string, db: Db): Hono {
  const files = (cacheControl: string) =>
    serveStatic({
      root: folder,
      precompressed: true,
      onFound: (_, c) => c.header('Cache-Control', cacheControl),
    })
  return new Hono()
    .use('/assets/*', files(immutable))
    .get('/assets/:name', async (c) => {
      const gzipped = await getClientAsset(db, c.req.param('name'))
      if (gzipped) return assetReply(c.req.raw, c.req.param('name'), gzipped)
      // Requests for assets are never shed, so they must not render a page.
      return plainError(new AppError('NOT_FOUND'))
    })
    .use('/favicon.svg', files(oneDay))
    .use('/share.png', files(oneDay))
}

async function assetReply(request: Request, name: string, gzipped: Buffer): Promise<Response> {
  const compress = acceptsGzip(request)
  const body = compress ? gzipped : await promisify(gunzip)(gzipped)
  return new Response(new Uint8Array(body), {
    headers: {
      'Content-Type': getMimeType(name) ?? 'application/octet-stream',
      'Cache-Control': immutable,
      Vary: 'Accept-Encoding',
      ...(compress && { 'Content-Encoding': 'gzip' }),
    },
  })
}
