import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * What happens to connections: `refuse` breaks them and closes the port, `hang` accepts them and
 * holds every byte back, `slow` delays each packet. `silent` loses every answer on the connections
 * that are open then, for good, and closes none; later ones pass.
 */
export type ProxyMode = 'pass' | 'refuse' | 'hang' | 'slow' | 'silent'

export type TcpProxy = {
  port: number
  /** Bytes that were held back are delivered when the mode is no longer `hang`. */
  setMode: (mode: ProxyMode) => Promise<void>
  close: () => Promise<void>
}

/** A network between a shop and a service on this machine that can fail. */
export async function startTcpProxy(
  target: { host: string; port: number },
  { slowMs }: { slowMs: number },
): Promise<TcpProxy> {
  let mode: ProxyMode = 'pass'
  let flowing = Promise.resolve()
  let flow = (): void => {}
  const sockets = new Set<Socket>()
  const silent = new WeakSet<Socket>()

  async function* delayed(packets: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const packet of packets) {
      await flowing
      if (mode === 'slow') await sleep(slowMs)
      yield packet
    }
  }
  const onConnection = (client: Socket): void => {
    const service = connect(target)
    const both = [client, service]
    for (const socket of both) sockets.add(socket.setNoDelay(true))
    async function* answered(packets: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const packet of delayed(packets)) if (!silent.has(service)) yield packet
    }
    const pass = async (from: Socket, to: Socket): Promise<void> => {
      try {
        await pipeline(from, from === service ? answered : delayed, to)
      } catch {
        // Whichever side broke, the other one sees it.
        for (const socket of both) socket.destroy()
      } finally {
        for (const socket of both) sockets.delete(socket)
      }
    }
    void pass(client, service)
    void pass(service, client)
  }

  let server: Server | null = null
  const listen = async (port: number): Promise<number> => {
    server = createServer(onConnection).listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (typeof address !== 'object' || !address) throw new Error('The proxy has no port.')
    return address.port
  }
  const refuse = async (): Promise<void> => {
    const closed = server && once(server, 'close')
    server?.close()
    server = null
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const port = await listen(0)
  return {
    port,
    setMode: async (next) => {
      mode = next
      flow()
      if (next === 'hang') flowing = new Promise((resolve) => (flow = resolve))
      if (next === 'silent') for (const socket of sockets) silent.add(socket)
      if (next === 'refuse') await refuse()
      else if (!server) await listen(port)
    },
    close: async () => {
      flow()
      await refuse()
    },
  }
}
