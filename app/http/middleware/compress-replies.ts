import type { MiddlewareHandler } from 'hono'
import { COMPRESSIBLE_CONTENT_TYPE_REGEX, compress as compressStream } from 'hono/compress'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { acceptsGzip } from '../accepts-gzip.ts'

const compressAll = promisify(gzip)

/** Pages, their data and errors are in memory whole. */
const wholeTypes = /^text\/(?:html|plain|x-script)\b/
const jsonType = /^application\/json\b/
/** A smaller reply fits in one packet anyway. */
const minBytes = 1024

/** Compresses what has no length yet, such as exports and whole lists. */
export const compressStreams = compressStream({
  contentTypeFilter: (type) => !wholeTypes.test(type) && COMPRESSIBLE_CONTENT_TYPE_REGEX.test(type),
})

type PageVariables = {
  /** The text of a page. Reading it back from its response would take two more copies. */
  page: string | undefined
}

const encoder = new TextEncoder()
/** Room for a page of 333,333 characters, which take at most three bytes each. */
const scratch = new Uint8Array(1_000_000)

/** The page in UTF-8. `Buffer.from` would measure it first, which takes as long as encoding it. */
function encodePage(page: string): Buffer<ArrayBuffer> {
  if (3 * page.length > scratch.length) return Buffer.from(page)
  const { written } = encoder.encodeInto(page, scratch)
  return Buffer.from(scratch.subarray(0, written))
}

/** The reply's bytes; null without any. */
async function readBytes({
  page,
  res,
}: {
  page: string | undefined
  res: Response
}): Promise<Buffer<ArrayBuffer> | null> {
  if (page !== undefined) return encodePage(page)
  return res.body && Buffer.from(await res.arrayBuffer())
}

/**
 * Compresses a reply that is in memory whole in one call. Hono's own middleware would pipe it
 * through web streams, which takes more CPU time and writes twice to the socket.
 */
export const compressWhole: MiddlewareHandler<{ Variables: PageVariables }> = async (c, next) => {
  await next()
  const { res } = c
  const type = res.headers.get('content-type') ?? ''
  const length = res.headers.get('content-length')
  // JSON without a length is left to `compressStreams`: whole lists, and the replies of tRPC.
  const isWhole = wholeTypes.test(type) || (length !== null && jsonType.test(type))
  // A page from memory has its encoding, also when that is none.
  const isEncoded = res.headers.get('vary')?.includes('Accept-Encoding') ?? false
  if (!isWhole || isEncoded || res.headers.has('content-encoding') || c.req.method === 'HEAD') return
  const clientAcceptsGzip = acceptsGzip(c.req.raw)
  if (length !== null && (!clientAcceptsGzip || Number(length) < minBytes)) {
    // Its body is not read: that would copy it twice.
    if (Number(length) >= minBytes) res.headers.append('Vary', 'Accept-Encoding')
    return
  }
  const bytes = await readBytes({ page: c.get('page'), res })
  if (!bytes) return
  const headers = new Headers(res.headers)
  let body = bytes
  if (bytes.length >= minBytes) {
    headers.append('Vary', 'Accept-Encoding')
    if (clientAcceptsGzip) {
      body = await compressAll(bytes)
      headers.set('Content-Encoding', 'gzip')
      headers.delete('Content-Length')
    }
  }
  // Otherwise Hono would merge both and read the body as a stream.
  c.res = undefined
  c.res = new Response(body, { status: res.status, headers })
}
