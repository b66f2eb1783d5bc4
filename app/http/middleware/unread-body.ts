import type { HttpBindings } from '@hono/node-server'

type Incoming = HttpBindings['incoming']

/** More than any accepted file, so that the sender of a larger one still receives the error. */
const maxBytes = 16 * 1024 * 1024
const maxMs = 10_000

/**
 * Reads and discards the rest of a request's body before the response is sent. Otherwise the
 * adapter closes a connection that the response declared kept alive: a browser sees a failed upload
 * instead of the error, and a proxy loses its next request on that connection. Returns false when
 * the body is too large or too slow.
 */
export async function drainUnreadBody(incoming: Incoming): Promise<boolean> {
  if (!hasBody(incoming) || incoming.readableEnded || incoming.destroyed) return true
  // A reader that gave up leaves a listener behind that keeps pausing the stream.
  incoming.removeAllListeners('data')
  return new Promise((resolve) => {
    let bytes = 0
    const end = (isWhole: boolean) => () => {
      clearTimeout(timer)
      incoming.off('data', count).off('end', onEnd).off('close', onAbort).off('error', onAbort)
      resolve(isWhole)
    }
    const onEnd = end(true)
    const onAbort = end(false)
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) onAbort()
    }
    const timer = setTimeout(onAbort, maxMs)
    incoming.on('data', count).on('end', onEnd).on('close', onAbort).on('error', onAbort).resume()
  })
}

const hasBody = ({ headers }: Incoming): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
