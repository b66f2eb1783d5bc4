import { AppError } from '#domain/errors.ts'

/** A request's whole body, whatever its Content-Length says. Throws TOO_LARGE. */
export async function readBounded(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get('content-length')
  if (declared === null || !(Number(declared) <= maxBytes)) return readChunks(request, maxBytes)
  // Node takes no more from a socket than was declared, and read whole a body costs a fraction of its stream.
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (bytes.byteLength > maxBytes) throw new AppError('TOO_LARGE')
  return bytes
}

/** Ends at the first byte too many. */
async function readChunks(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new AppError('TOO_LARGE')
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}
