import { connect, type Socket } from 'node:net'
import { readCpuMs } from '#tests/support/process-facts.ts'

export type Load = {
  requests: number
  perSecond: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  /** The server's CPU time per request. */
  cpuMs: number
  /** Mean bytes per response, headers included. */
  bytes: number
}

export const quantile = (sorted: ArrayLike<number>, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('\r\n0\r\n\r\n')

/**
 * The length in bytes of the first response in the buffer, or null while it is incomplete. Throws
 * unless the status is 200.
 */
function completeLength(buffer: Buffer): number | null {
  const end = buffer.indexOf(headEnd)
  if (end < 0) return null
  const head = buffer.toString('latin1', 0, end)
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`The response was ${head.split('\r\n', 1)[0]}.`)
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  if (length !== undefined) {
    const total = end + 4 + Number(length)
    return buffer.length >= total ? total : null
  }
  const chunked = buffer.indexOf(lastChunk, end)
  return chunked < 0 ? null : chunked + lastChunk.length
}

/**
 * Requests the paths in turn over keep-alive connections, one request at a time on each. It uses
 * plain sockets, because Node's HTTP client costs as much as the server: on two processors it would
 * be what is measured.
 */
export async function load(
  target: { origin: string; pid: number },
  paths: readonly string[],
  options: {
    ms: number
    connections?: number
    cookie?: string
    acceptsGzip?: boolean
    /** Goes on for longer until there were as many requests. */
    atLeast?: number
  },
): Promise<Load> {
  const { hostname, port, host } = new URL(target.origin)
  const headers =
    (options.cookie ? `Cookie: ${options.cookie}\r\n` : '') +
    (options.acceptsGzip ? 'Accept-Encoding: gzip, deflate, br\r\n' : '')
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`))
  const latencies: number[] = []
  let bytes = 0
  let next = 0
  const cpuBefore = readCpuMs(target.pid)
  const started = performance.now()
  const until = started + options.ms

  const drive = (socket: Socket): Promise<void> =>
    new Promise((resolve, reject) => {
      let sent = 0
      let buffer: Buffer = Buffer.alloc(0)
      const sendNext = (): void => {
        const request = requests[next++ % requests.length]
        if (!request || (performance.now() >= until && next > (options.atLeast ?? 0))) {
          socket.destroy()
          resolve()
          return
        }
        sent = performance.now()
        socket.write(request)
      }
      socket.on('data', (chunk: Buffer) => {
        buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
        try {
          const length = completeLength(buffer)
          if (length === null) return
          latencies.push(performance.now() - sent)
          bytes += length
          buffer = buffer.subarray(length)
          sendNext()
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
          socket.destroy()
        }
      })
      socket.once('error', reject)
      socket.once('connect', sendNext)
    })

  const sockets = Array.from({ length: options.connections ?? 10 }, () =>
    connect({ host: hostname, port: Number(port), noDelay: true }),
  )
  await Promise.all(sockets.map(drive))
  const seconds = (performance.now() - started) / 1000
  const sorted = Float64Array.from(latencies).toSorted()
  return {
    requests: latencies.length,
    perSecond: latencies.length / seconds,
    p50Ms: quantile(sorted, 0.5),
    p95Ms: quantile(sorted, 0.95),
    p99Ms: quantile(sorted, 0.99),
    cpuMs: (readCpuMs(target.pid) - cpuBefore) / latencies.length,
    bytes: bytes / latencies.length,
  }
}

/** The same figures for a function that this process calls repeatedly, one call at a time. */
export async function repeat(
  work: (i: number) => Promise<unknown>,
  ms: number,
): Promise<Omit<Load, 'bytes'>> {
  const latencies: number[] = []
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  for (let i = 0; performance.now() < started + ms; i++) {
    const callStarted = performance.now()
    await work(i)
    latencies.push(performance.now() - callStarted)
  }
  const seconds = (performance.now() - started) / 1000
  const cpu = process.cpuUsage(cpuBefore)
  const sorted = Float64Array.from(latencies).toSorted()
  return {
    requests: latencies.length,
    perSecond: latencies.length / seconds,
    p50Ms: quantile(sorted, 0.5),
    p95Ms: quantile(sorted, 0.95),
    p99Ms: quantile(sorted, 0.99),
    cpuMs: (cpu.user + cpu.system) / 1000 / latencies.length,
  }
}
