import { fastPathsEnabled } from '#domain/fast-paths.ts'
import type { ServerType } from '@hono/node-server'
import { readFileSync } from 'node:fs'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** How long no connection may arrive before the server stops listening. */
const acceptGraceMs = 100
const acceptTurns = 3
const acceptLimitMs = 3500
/** How long no request may arrive before the draining server closes idle connections. */
const idleGraceMs = 1000
const idleLimitMs = 3000

/**
 * Stops accepting connections, and resolves when the last one is closed. Drops no request: neither
 * one on a connection that the kernel has accepted and Node has not, nor one on its way on an open
 * connection. On a busy machine both take longer, so the pauses grow with the time that this
 * process waits for a processor.
 * @param onClosed runs when the server no longer listens
 */
export async function closeServer(server: ServerType, onClosed: () => void): Promise<void> {
  const slowness = measureSlowness()
  await acceptWaiting(server, slowness)
  await new Promise<void>((resolve) => {
    if (!fastPathsEnabled()) {
      server.close(() => resolve())
      onClosed()
      return
    }
    // The HTTP server's own `close` also cuts every connection that is between two requests, and
    // with it a request that is already on its way there.
    NetServer.prototype.close.call(server, () => resolve())
    onClosed()
    const until = performance.now() + idleLimitMs
    let lastRequest = performance.now()
    server.on('request', () => (lastRequest = performance.now()))
    const closeWhenQuiet = (): void => {
      const due = Math.min(lastRequest + idleGraceMs * slowness(), until)
      const left = due - performance.now()
      if (left > 0) setTimeout(closeWhenQuiet, left)
      // After the sockets were read, so that a connection with a request is no longer idle.
      else setImmediate(() => 'closeIdleConnections' in server && server.closeIdleConnections())
    }
    closeWhenQuiet()
  })
}

/**
 * Lets the server accept the connections that wait. Node accepts one in each turn of its event
 * loop, so a busy server has a queue of them, and closing would reset them all.
 */
async function acceptWaiting(server: ServerType, slowness: () => number): Promise<void> {
  const until = performance.now() + acceptLimitMs
  let lastConnection = performance.now()
  const onConnection = (): void => void (lastConnection = performance.now())
  server.on('connection', onConnection)
  for (;;) {
    const due = Math.min(lastConnection + acceptGraceMs * slowness(), until)
    const left = due - performance.now()
    if (left <= 0) break
    await sleep(left)
    // A timer fires before its turn of the event loop accepts.
    for (let turn = 0; turn < acceptTurns; turn++) await nextTurn()
  }
  server.off('connection', onConnection)
}

/**
 * Measures from now on: how many times longer work takes because this process waits for a
 * processor. 1 on a quiet machine, and where Linux's statistics are missing.
 */
function measureSlowness(): () => number {
  const start = readSchedule()
  return () => {
    const now = readSchedule()
    if (!start || !now) return 1
    const ran = now.ran - start.ran
    const waited = now.waited - start.waited
    return ran > 0 ? (ran + waited) / ran : 1
  }
}

/**
 * Nanoseconds that this process's main thread ran and waited to run (Linux,
 * Documentation/scheduler/sched-stats.rst), or null on another system.
 */
function readSchedule(): { ran: number; waited: number } | null {
  try {
    const [ran, waited] = readFileSync('/proc/self/schedstat', 'utf8').split(' ').map(Number)
    return ran === undefined || waited === undefined ? null : { ran, waited }
  } catch {
    return null
  }
}
