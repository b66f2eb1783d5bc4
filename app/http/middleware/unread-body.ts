import type { HttpBindings } from '@hono/node-server'

type Incoming = HttpBindings['incoming']

/** More than any file that we take, so that whoever sends a larger one still reads why it was refused. */
const maxBytes = 16 * 1024 * 1024
const maxMs = 10_000

/**
 * Reads and drops what nobody read of a request's body, before the answer goes out. Otherwise the adapter cuts the connection half
 * a second later, though its answer said that it stays: a browser sees a broken upload in place of the refusal, and a proxy's next
 * request on that connection, whosever it is, is lost. Returns false when it is too much, or too slow.
 */
export async function dropUnreadBody(incoming: Incoming): Promise<boolean> {
  if (!hasBody(incoming) || incoming.readableEnded || incoming.destroyed) return true
  // What began to read and gave up left its listener behind, which pauses the stream again and again.
  incoming.removeAllListeners('data')
  return new Promise((resolve) => {
    let bytes = 0
    const end = (isWhole: boolean) => () => {
      clearTimeout(timer)
      incoming.off('data', count).off('end', whole).off('close', torn).off('error', torn)
      resolve(isWhole)
    }
    const whole = end(true)
    const torn = end(false)
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) torn()
    }
    const timer = setTimeout(torn, maxMs)
    incoming.on('data', count).on('end', whole).on('close', torn).on('error', torn).resume()
  })
}

const hasBody = ({ headers }: Incoming): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
