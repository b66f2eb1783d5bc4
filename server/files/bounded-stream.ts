import { AppError } from '#domain/errors.ts'

/**
 * Passes chunks through. Throws TOO_LARGE, or the given error, at the first byte over the limit.
 */
export async function* boundedStream(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLarge = new AppError('TOO_LARGE'),
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw tooLarge
    yield chunk
  }
}
