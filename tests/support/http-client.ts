import { connect, type Socket } from 'node:net'
import { connect as connectSafely } from 'node:tls'

export type Reply = { status: number; body: string; setCookie: string[] }

/** The connection ended before a complete reply. */
export class NoReplyError extends Error {
  constructor(
    /** If true, the server may have handled the request. */
    readonly wasConnected: boolean,
  ) {
    super('The connection ended without a reply.')
  }
}

let authority: string | undefined

/** The certificate, as PEM, of the authority that https origins of this process need. */
export const trustAuthority = (pem: string): void => void (authority = pem)

/** Node's server closes a connection after 5 s idle. A request sent at that moment is lost. */
const reuseLimitMs = 3000

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')

/** The reply at the start of the buffer, or null while it is incomplete. */
function readReply(buffer: Buffer): Reply | null {
  const end = buffer.indexOf(headEnd)
  if (end < 0) return null
  const [first = '', ...lines] = buffer.toString('latin1', 0, end).split('\r\n')
  const status = Number(first.split(' ')[1])
  const headerValue = (line: string): string => line.slice(line.indexOf(':') + 1).trim()
  const headersNamed = (name: string): string[] =>
    lines.filter((line) => line.toLowerCase().startsWith(`${name}:`)).map(headerValue)
  const rest = buffer.subarray(end + headEnd.length)
  const body = headersNamed('transfer-encoding').includes('chunked')
    ? readChunks(rest)
    : readLength(rest, status === 204 || status === 304 ? 0 : Number(headersNamed('content-length')[0] ?? 0))
  return body === null ? null : { status, body: body.toString('utf8'), setCookie: headersNamed('set-cookie') }
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
  /** Sends one request and waits for its reply. Throws NoReplyError. */
  send: (
    method: string,
    path: string,
    body?: { json: unknown } | { form: Record<string, string> } | { text: string },
  ) => Promise<Reply>
  /** The cookie jar. */
  cookies: Map<string, string>
  close: () => void
}

function contentType(body: object): string {
  if ('json' in body) return 'application/json'
  return 'form' in body ? 'application/x-www-form-urlencoded' : 'application/octet-stream'
}

/**
 * A client with a cookie jar that sends one request at a time over one connection. It keeps the
 * connection alive and reconnects when it ended. It uses plain sockets, because Node's own client
 * takes as much time as the server and hides whether a reply came.
 */
export function plainClient(origin: string, replyLimitMs = 60_000): PlainClient {
  const { hostname, port, host, protocol } = new URL(origin)
  const cookies = new Map<string, string>()
  let socket: Socket | null = null
  let isConnected = false
  let usedAt = 0

  const open = (): Socket => {
    const to = { host: hostname, port: Number(port), noDelay: true }
    const fresh =
      protocol === 'https:' ? connectSafely({ ...to, servername: hostname, ca: authority }) : connect(to)
    isConnected = false
    fresh.on('connect', () => (isConnected = true))
    fresh.on('close', () => {
      if (socket === fresh) socket = null
    })
    // A waiting `send` gets the "close" event. Between requests, the next one reconnects.
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
        reject(new NoReplyError(isConnected))
      }
      const onData = (chunk: Buffer): void => {
        buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
        const reply = readReply(buffer)
        if (!reply) return
        stop()
        usedAt = Date.now()
        resolve(reply)
      }
      const timer = setTimeout(() => used.destroy(), replyLimitMs)
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
            : 'form' in body
              ? new URLSearchParams(body.form).toString()
              : body.text
      const head = [`${method} ${path} HTTP/1.1`, `Host: ${host}`]
      if (cookies.size > 0) head.push(`Cookie: ${[...cookies].map((pair) => pair.join('=')).join('; ')}`)
      if (body) head.push(`Content-Type: ${contentType(body)}`)
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
