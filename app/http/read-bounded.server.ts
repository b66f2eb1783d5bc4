import { AppError } from '#domain/errors.ts'
import { boundedStream } from '#server/files/bounded-stream.ts'
import { arrayBuffer } from 'node:stream/consumers'

/**
 * A request's whole body, whatever its Content-Length says. Throws TOO_LARGE, and BAD_REQUEST when
 * the body broke off.
 */
export async function readBounded(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readWhole(request, maxBytes)
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('BAD_REQUEST', undefined, { cause: error })
  }
}

async function readWhole(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get('content-length')
  if (declared === null || !(Number(declared) <= maxBytes)) {
    if (!request.body) return new Uint8Array()
    return new Uint8Array(await arrayBuffer(boundedStream(request.body, maxBytes)))
  }
  // Node reads at most the declared number of bytes from a socket. Reading them at once costs a
  // fraction of reading a stream.
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (bytes.byteLength > maxBytes) throw new AppError('TOO_LARGE')
  return bytes
}
