import { openPicture } from '#server/files/open-picture.ts'
import { apiLoader, methodNotAllowed } from '../../http/api.server.ts'
import { hasCurrentVersion } from '../../http/etag.server.ts'
import { streamBody } from '../../http/stream-body.server.ts'

/**
 * `/img/p/{id}.{jpg|png}`: a picture uploaded by an admin. A new picture gets a new address, so it
 * is cached forever.
 */
export const loader = apiLoader(async (ctx, { params, request }) => {
  const { contentType, byteSize, sha256, open } = await openPicture(ctx, params.file ?? '')
  const etag = `"${sha256}"`
  const headers = {
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    ETag: etag,
  }
  if (hasCurrentVersion(request, etag)) return new Response(null, { status: 304, headers })
  return new Response(request.method === 'HEAD' ? null : streamBody(await open()), {
    headers: { ...headers, 'Content-Type': contentType, 'Content-Length': String(byteSize) },
  })
})

export const action = methodNotAllowed('GET')
