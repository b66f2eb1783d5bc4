import { fastPathsEnabled } from '#domain/fast-paths.ts'
import type { ServerType } from '@hono/node-server'
import { Server as NetServer } from 'node:net'

/** How long an idle connection may stay open while the server drains. */
const idleGraceMs = 1000

/**
 * Stops accepting connections, and resolves when the last one is closed. The HTTP server's own
 * `close` also cuts every connection that is between two requests, and with it a request that is
 * already on its way there. The TCP server's `close` leaves them; they get a second to finish.
 */
export async function closeServer(server: ServerType): Promise<void> {
  await new Promise<void>((resolve) => {
    if (!fastPathsEnabled()) {
      server.close(() => resolve())
      return
    }
    NetServer.prototype.close.call(server, () => resolve())
    setTimeout(() => {
      if ('closeIdleConnections' in server) server.closeIdleConnections()
    }, idleGraceMs)
  })
}
