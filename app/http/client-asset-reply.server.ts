import type { Db } from '#db/engine/client.ts'
import { getClientAsset } from '#server/releases/get-client-asset.ts'
import { getMimeType } from 'hono/utils/mime'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { acceptsGzip } from './accepts-gzip.ts'

/** How long a browser keeps a file whose name contains a hash of its content. */
export const clientAssetRule = 'public, max-age=31536000, immutable'

/** The reply with a script, style or picture of another release; null if none has it. */
export async function clientAssetReply(db: Db, request: Request, name: string): Promise<Response | null> {
  const gzipped = await getClientAsset(db, name)
  if (!gzipped) return null
  const compress = acceptsGzip(request)
  const body = compress ? gzipped : await promisify(gunzip)(gzipped)
  return new Response(new Uint8Array(body), {
    headers: {
      'Content-Type': getMimeType(name) ?? 'application/octet-stream',
      'Cache-Control': clientAssetRule,
      Vary: 'Accept-Encoding',
      ...(compress && { 'Content-Encoding': 'gzip' }),
    },
  })
}
