import { Readable } from 'node:stream'

/**
 * Returns the chunks as a stream whose first chunk is read already: a file that does not open is an
 * error, not a broken response. The caller must read or destroy the stream.
 */
export async function startStream(chunks: AsyncIterable<Uint8Array>): Promise<Readable> {
  const iterator = chunks[Symbol.asyncIterator]()
  let first: IteratorResult<Uint8Array, unknown> | null = await iterator.next()
  // A generator here would not run its `finally` when the stream is destroyed before it is read.
  const all: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => all,
    async next() {
      const result = first ?? (await iterator.next())
      first = null
      return result
    },
    async return() {
      await iterator.return?.()
      return { done: true, value: undefined }
    },
  }
  return Readable.from(all, { objectMode: false })
}
