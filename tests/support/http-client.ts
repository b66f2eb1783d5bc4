import { connect, type Socket } from 'node:net'

export type Reply = { status: number; body: string; setCookie: string[] }

/** The connection ended before a whole answer came. */
export class NoAnswer extends Error {
  constructor(
    /** Whether there was one at all: then nobody knows whether the request was handled. */ readonly wasConnected: boolean,
  ) {
    super('The connection ended without an answer.')
  }
}

/** Node's server ends a connection that was idle for 5 s, and what is sent at that very moment is lost. */
const reuseLimitMs = 3000

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')

/** The answer at the buffer's beginning, or null while it is not whole. */
function readReply(buffer: Buffer): Reply | null {
  const end = buffer.indexOf(headEnd)
  if (end < 0) return null
  const [first = '', ...lines] = buffer.toString('latin1', 0, end).split('\r\n')
  const status = Number(first.split(' ')[1])
  const valueOf = (line: string): string => line.slice(line.indexOf(':') + 1).trim()
  const named = (name: string): string[] =>
    lines.filter((line) => line.toLowerCase().startsWith(`${name}:`)).map(valueOf)
  const rest = buffer.subarray(end + headEnd.length)
  const body = named('transfer-encoding').includes('chunked')
    ? readChunks(rest)
    : readLength(rest, status === 204 || status === 304 ? 0 : Number(named('content-length')[0] ?? 0))
  return body === null ? null : { status, body: body.toString('utf8'), setCookie: named('set-cookie') }
}

const readLength = (rest: Buffer, length: number): Buffer | null =>
  rest.length < length ? null : rest.subarray(0, length)

function readChunks(rest: Buffer): Buffer | null {
  if (!rest.subarray(-lastChunk.length).equals(lastChunk)) return null
  const chunks: Buffer[] = []
  for (let at = 0; ;) {
    const lineEnd = rest.indexOf('\r\n', at)
    const size = Number.parseInt(rest.toString('latin1', at, lineEnd), 16)
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}

export type PlainClient = {
  /** Sends one request and waits for its answer. Throws NoAnswer. */
  send: (
    method: string,
    path: string,
    body?: { json: unknown } | { form: Record<string, string> },
  ) => Promise<Reply>
  /** The cookies that it sends. */
  cookies: Map<string, string>
  close: () => void
}

/**
 * A client with one connection at a time, kept alive and made anew when it ended, one request after the other, with a cookie jar. Plain
 * sockets: Node's own client costs as much as the server, and it hides whether an answer came.
 */
export function plainClient(origin: string, answerLimitMs = 60_000): PlainClient {
  const { hostname, port, host } = new URL(origin)
  const cookies = new Map<string, string>()
  let socket: Socket | null = null
  let isConnected = false
  let usedAt = 0

  const open = (): Socket => {
    const fresh = connect({ host: hostname, port: Number(port), noDelay: true })
    isConnected = false
    fresh.on('connect', () => (isConnected = true))
    fresh.on('close', () => {
      if (socket === fresh) socket = null
    })
    // What `send` waits for hears of it; between two requests it only means that the next one connects anew.
    fresh.on('error', () => fresh.destroy())
    return fresh
  }

  const exchange = (message: string): Promise<Reply> =>
    new Promise((resolve, reject) => {
      if (Date.now() - usedAt > reuseLimitMs) {
        socket?.destroy()
        socket = null
      }
      const used = (socket ??= open())
      let buffer: Buffer = Buffer.alloc(0)
      const stop = (): void => {
        clearTimeout(timer)
        used.off('data', onData)
        used.off('close', onClose)
      }
      const onClose = (): void => {
        stop()
        reject(new NoAnswer(isConnected))
      }
      const onData = (chunk: Buffer): void => {
        buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
        const reply = readReply(buffer)
        if (!reply) return
        stop()
        usedAt = Date.now()
        resolve(reply)
      }
      const timer = setTimeout(() => used.destroy(), answerLimitMs)
      used.on('data', onData)
      used.on('close', onClose)
      used.write(message)
    })

  return {
    cookies,
    send: async (method, path, body) => {
      const text =
        body === undefined
          ? ''
          : 'json' in body
            ? JSON.stringify(body.json)
            : new URLSearchParams(body.form).toString()
      const head = [`${method} ${path} HTTP/1.1`, `Host: ${host}`]
      if (cookies.size > 0) head.push(`Cookie: ${[...cookies].map((pair) => pair.join('=')).join('; ')}`)
      if (body) {
        head.push(
          `Content-Type: ${'json' in body ? 'application/json' : 'application/x-www-form-urlencoded'}`,
        )
      }
      if (method !== 'GET') head.push(`Content-Length: ${Buffer.byteLength(text)}`)
      const reply = await exchange(`${head.join('\r\n')}\r\n\r\n${text}`)
      for (const line of reply.setCookie) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      return reply
    },
    close: () => socket?.destroy(),
  }
}
