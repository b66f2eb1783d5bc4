import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'

/**
 * How long a client may take to send a request. A slow client costs no processor time, but it holds
 * a connection, and a body's memory.
 */
export type RequestLimits = {
  /** For the head, from the first byte or a new connection on. */
  headersMs: number
  /** For the body. One that is larger than an ordinary form goes on while it is fast enough. */
  bodyMs: number
  /** The slowest average of a body after that. */
  bodyBytesPerSecond: number
  /** For a whole request, whatever its rate. */
  requestMs: number
  /** How often the limits are checked. */
  checkMs: number
  /** How long a connection may be silent while a request is answered. */
  silentMs: number
  /** Open connections of this process, idle ones too. */
  connections: number
}

export const requestLimits: Omit<RequestLimits, 'connections'> = {
  headersMs: 10_000,
  bodyMs: 30_000,
  // Slower than any mobile network: 10 MB in ten minutes.
  bodyBytesPerSecond: 16 * 1024,
  requestMs: 20 * 60_000,
  checkMs: 1000,
  silentMs: 120_000,
}

/** The limits that Node's server enforces itself. It answers 408. */
export const serverLimits = ({ headersMs, requestMs, checkMs }: RequestLimits): ServerOptions => ({
  headersTimeout: headersMs,
  requestTimeout: requestMs,
  connectionsCheckingInterval: checkMs,
})

const reportMs = 60_000

/** Above this share of the connections, idle ones are closed to make room. */
const pressure = 0.8

/**
 * Enforces the others. A connection beyond the limit is closed at once.
 * @param onRefuse called with the number of refused connections, once a minute at most
 */
export function enforceLimits(
  server: Server,
  limits: RequestLimits,
  onRefuse: (refused: number) => void,
): void {
  server.setTimeout(limits.silentMs)
  server.maxConnections = limits.connections
  // Otherwise the processes of one shop hand a refused connection around.
  Object.assign(server, { dropMaxConnection: true })
  let refused = 0
  let reportedAt = -Infinity
  server.on('drop', () => {
    refused++
    if (performance.now() - reportedAt < reportMs) return
    reportedAt = performance.now()
    onRefuse(refused)
    refused = 0
  })
  let open = 0
  server.on('connection', (socket) => {
    open++
    socket.once('close', () => open--)
    if (open > limits.connections * pressure) server.closeIdleConnections()
  })
  server.prependListener('request', (request, response) => limitBody(request, response, limits))
}

/** Closes the connection of a body that is too slow. Most bodies arrive before the first check. */
function limitBody(
  request: IncomingMessage,
  response: ServerResponse,
  { bodyMs, bodyBytesPerSecond, checkMs }: RequestLimits,
): void {
  const { headers, socket } = request
  if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined) return
  const startedAt = performance.now()
  const bytesBefore = socket.bytesRead
  const check = (): void => {
    if (request.complete) return
    const seconds = (performance.now() - startedAt) / 1000
    if (socket.bytesRead - bytesBefore < seconds * bodyBytesPerSecond) {
      if (!response.headersSent) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
      request.destroy()
      return
    }
    timer = setTimeout(check, checkMs)
  }
  let timer = setTimeout(check, bodyMs)
  // For a whole request too, not only for a broken one.
  request.once('close', () => clearTimeout(timer))
}
