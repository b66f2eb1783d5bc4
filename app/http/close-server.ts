import { fastPathsEnabled } from '#domain/fast-paths.ts'
import type { ServerType } from '@hono/node-server'
import { Server as NetServer } from 'node:net'

/** How long no request may arrive before the draining server closes idle connections. */
const idleGraceMs = 1000

/**
 * Stops accepting connections, and resolves when the last one is closed. The HTTP server's own
 * `close` also cuts every connection that is between two requests, and with it a request that is
 * already on its way there. The TCP server's `close` leaves them until no request has arrived for a
 * second: on a busy machine, clients need longer to send their next one.
 */
export async function closeServer(server: ServerType): Promise<void> {
  await new Promise<void>((resolve) => {
    if (!fastPathsEnabled()) {
      server.close(() => resolve())
      return
    }
    NetServer.prototype.close.call(server, () => resolve())
    const quiet = setTimeout(() => {
      // After the sockets were read, so that a connection with a request is no longer idle.
      setImmediate(() => {
        if ('closeIdleConnections' in server) server.closeIdleConnections()
      })
    }, idleGraceMs)
    server.on('request', () => void quiet.refresh())
  })
}
