import { connect, type Socket } from 'node:net'
import { readCpuMs } from '#tests/support/process-facts.ts'

export type Load = {
  requests: number
  perSecond: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  /** Processor time of the server a request. */
  cpuMs: number
  /** Bytes of an average answer, headers included. */
  bytes: number
}

export const quantile = (sorted: ArrayLike<number>, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('\r\n0\r\n\r\n')

/** How many bytes the first answer in the buffer takes; null while it is not whole. Throws when it is no 200. */
function wholeAnswer(buffer: Buffer): number | null {
  const end = buffer.indexOf(headEnd)
  if (end < 0) return null
  const head = buffer.toString('latin1', 0, end)
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`The answer was ${head.split('\r\n', 1)[0]}.`)
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  if (length !== undefined) {
    const total = end + 4 + Number(length)
    return buffer.length >= total ? total : null
  }
  const chunked = buffer.indexOf(lastChunk, end)
  return chunked < 0 ? null : chunked + lastChunk.length
}

/**
 * Asks for the paths in turn over keep-alive connections, the next as soon as one is answered. Plain sockets: Node's own
 * client costs as much as the server, and on two processors would be what is measured.
 */
export async function load(
  target: { origin: string; pid: number },
  paths: readonly string[],
  options: { ms: number; connections?: number; cookie?: string },
): Promise<Load> {
  const { hostname, port, host } = new URL(target.origin)
  const cookie = options.cookie ? `Cookie: ${options.cookie}\r\n` : ''
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${cookie}\r\n`))
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
      const ask = (): void => {
        const request = requests[next++ % requests.length]
        if (!request || performance.now() >= until) {
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
          const length = wholeAnswer(buffer)
          if (length === null) return
          latencies.push(performance.now() - sent)
          bytes += length
          buffer = buffer.subarray(length)
          ask()
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
          socket.destroy()
        }
      })
      socket.once('error', reject)
      socket.once('connect', ask)
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

/** The same figures of a function called again and again in this process, one after another. */
export async function repeat(
  work: (i: number) => Promise<unknown>,
  ms: number,
): Promise<Omit<Load, 'bytes'>> {
  const latencies: number[] = []
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  for (let i = 0; performance.now() < started + ms; i++) {
    const begun = performance.now()
    await work(i)
    latencies.push(performance.now() - begun)
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
