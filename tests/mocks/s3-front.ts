import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = { status: number; code: string }
type OnRequest = (sent: { method: string; key: string }) => Promise<Answer | null> | Answer | null

/**
 * A proxy in front of an S3 server, which tests use to see requests and to answer some of them with
 * an error. The signature covers the host name, which passes as it is.
 */
export async function startS3Front(address: string) {
  const [, target = ''] = /endpoint=http:\/\/127\.0\.0\.1:(\d+)/.exec(address) ?? []
  const seen: string[] = []
  let onRequest: OnRequest = () => null
  const server = createServer((received, reply) => {
    const { method = '', url = '' } = received
    const key = /\/([\w-]+)(\?|$)/.exec(url)?.[1] ?? ''
    seen.push(`${method} ${key}`)
    const pass = async (): Promise<void> => {
      const answer = await onRequest({ method, key })
      if (answer) {
        received.resume()
        reply.writeHead(answer.status, { 'content-type': 'application/xml' })
        reply.end(`<Error><Code>${answer.code}</Code></Error>`)
        return
      }
      const sent = request({ port: target, host: '127.0.0.1', method, path: url, headers: received.headers })
      sent.on('response', (answered) => {
        reply.writeHead(answered.statusCode ?? 500, answered.headers)
        answered.pipe(reply)
      })
      sent.on('error', () => reply.destroy())
      received.pipe(sent)
    }
    pass().catch(() => reply.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: address.replace(`:${target}`, `:${port}`),
    /** `GET KEY` and the like, since the last time. */
    takeSeen: () => seen.splice(0),
    setOnRequest: (next: OnRequest) => (onRequest = next),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
