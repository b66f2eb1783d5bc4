import { AppError } from '#domain/errors.ts'

/** A request's whole body, whatever its Content-Length says. Throws TOO_LARGE at the first byte too many. */
export async function readBounded(request: Request, maxBytes: number): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new AppError('TOO_LARGE')
    chunks.push(chunk)
  }
  return new Blob(chunks)
}
