import { connect, type AddressInfo, type Server } from 'node:net'

const pauseMs = 200
/** With fewer readings, a connection waited for one slow piece of work, not in a queue. */
const minReadings = 3

/** How long new connections wait until they are accepted. */
export type AcceptWatch = {
  /** Milliseconds, of the last connection or of the one that waits. Read at each step. */
  readDelayMs: () => number
  /** Before the server closes. It waits until no connection arrives. */
  stop: () => void
}

type Probe = {
  startedAt: number
  readings: number
  /** Its own end, once the client's side is connected. */
  address?: string | undefined
  port?: number | undefined
}

/**
 * Measures how long a new connection waits until the server accepts it, by connecting to it again
 * and again. Node accepts one connection in each turn of its event loop, so a busy server has a
 * queue of them in the kernel, which no delay of the loop shows.
 */
export function watchAccepts(server: Server): AcceptWatch {
  let isStopped = false
  let last = 0
  /** The connection that has not been accepted yet. */
  let probe: Probe | null = null

  const connectAgain = (): void => {
    const bound = server.address()
    if (isStopped || !isPort(bound)) return
    const { port, address } = bound
    const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address
    const mine: Probe = { startedAt: performance.now(), readings: 0 }
    probe = mine
    const socket = connect({ port, host }, () => {
      Object.assign(mine, { address: socket.localAddress, port: socket.localPort })
    })
    socket.on('error', () => socket.destroy())
    // Also when the server refuses it, because it has too many: that is no delay.
    socket.once('close', () => {
      probe = null
      setTimeout(connectAgain, pauseMs).unref()
    })
    socket.unref()
  }

  server.on('connection', (socket) => {
    const pending = probe
    if (!pending) return
    const waited = performance.now() - pending.startedAt
    // The client's side may learn of the connection later than the server's.
    setImmediate(() => {
      const { remoteAddress, remotePort } = socket
      if (probe !== pending || remotePort !== pending.port || remoteAddress !== pending.address) return
      probe = null
      last = pending.readings >= minReadings ? waited : 0
      socket.destroy()
    })
  })
  if (server.listening) connectAgain()
  else server.once('listening', connectAgain)
  return {
    readDelayMs: () => {
      if (!probe || ++probe.readings < minReadings) return last
      return Math.max(last, performance.now() - probe.startedAt)
    },
    stop: () => void (isStopped = true),
  }
}

const isPort = (address: ReturnType<Server['address']>): address is AddressInfo =>
  address !== null && typeof address !== 'string'
