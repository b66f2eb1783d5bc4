import { openPicture } from '#server/files/open-picture.ts'
import { apiLoader, onlyMethods } from '../../http/api.server.ts'
import { callerHas } from '../../http/etag.server.ts'
import { streamBody } from '../../http/stream-body.server.ts'

/** `/img/p/{id}.{jpg|png}`: what an admin uploaded. Another picture has another address, so it is kept for ever. */
export const loader = apiLoader(async (ctx, { params, request }) => {
  const { contentType, byteSize, sha256, open } = await openPicture(ctx, params.file ?? '')
  const etag = `"${sha256}"`
  const headers = {
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    ETag: etag,
  }
  if (callerHas(request, etag)) return new Response(null, { status: 304, headers })
  return new Response(request.method === 'HEAD' ? null : streamBody(await open()), {
    headers: { ...headers, 'Content-Type': contentType, 'Content-Length': String(byteSize) },
  })
})

export const action = onlyMethods('GET')
