import { createReadableStreamFromReadable } from '@react-router/node'
import type { Readable } from 'node:stream'

/** Returns a Node stream as the body of a response. Cancelling the body destroys the stream. */
export function streamBody(source: Readable): ReadableStream<Uint8Array> {
  // React Router removes its listeners when the body is cancelled. An error without a listener,
  // such as the reason of a cancel, would end the process.
  source.on('error', () => {})
  return createReadableStreamFromReadable(source)
}
