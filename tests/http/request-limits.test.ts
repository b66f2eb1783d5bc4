import { enforceLimits, requestLimits, serverLimits, type RequestLimits } from '#app/http/request-limits.ts'
import { eachEngine, onEngine } from '#tests/support/engines.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'

type Line = { socket: Socket; received: () => string; endedAfterMs: Promise<number> }

/** A connection that sends these bytes and then only what the test writes. */
function open(port: number, bytes: string): Line {
  const socket = connect({ host: '127.0.0.1', port })
  const startedAt = performance.now()
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  // The server may reset a connection that it refuses.
  socket.on('error', () => {})
  socket.write(bytes)
  const endedAfterMs = new Promise<number>((resolve) => {
    socket.on('close', () => resolve(performance.now() - startedAt))
  })
  onTestFinished(() => void socket.destroy())
  return { socket, received: () => received, endedAfterMs }
}

/** A server that answers with the length of the body, with limits of less than a second. */
async function startServer(changes: Partial<RequestLimits> = {}) {
  const limits = {
    ...requestLimits,
    headersMs: 300,
    bodyMs: 600,
    checkMs: 50,
    connections: 100,
    ...changes,
  }
  const server = createServer(serverLimits(limits), (request, response) => {
    buffer(request).then(
      (body) => response.end(String(body.length)),
      () => response.destroy(),
    )
  })
  const refused = vi.fn<(count: number) => void>()
  enforceLimits(server, limits, refused)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, refused, url: `http://127.0.0.1:${port}/` }
}

/** Vitest waits for a second by default, which is too short on a busy machine. */
const soon = (assertion: () => void): Promise<void> => vi.waitFor(assertion, { timeout: 60_000, interval: 2 })

const post = (length: number): string => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`

test('a body that trickles in is ended with 408; one that keeps the least rate arrives', async () => {
  const { port, url } = await startServer({ bodyBytesPerSecond: 10_000 })
  const trickling = open(port, post(1000))
  const chunked = open(port, 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  const silent = open(port, post(1000))
  const upload = open(port, post(40_000))
  const writing = (async () => {
    for (let i = 0; i < 20; i++) {
      trickling.socket.write('x')
      chunked.socket.write('1\r\nx\r\n')
      upload.socket.write('x'.repeat(2000))
      await sleep(75)
    }
  })()
  expect(await (await fetch(url, { method: 'POST', body: 'abc' })).text()).toBe('3')
  for (const line of [trickling, chunked, silent]) {
    expect(await line.endedAfterMs).toBeGreaterThan(550)
    expect(line.received()).toMatch(/^HTTP\/1\.1 408 /)
  }
  await writing
  await soon(() => expect(upload.received()).toMatch(/^HTTP\/1\.1 200 [\s\S]*40000$/))
})

test('a whole request has a bound too, and a body in time does not limit the next on its connection', async () => {
  const { port } = await startServer({ requestMs: 1000, bodyBytesPerSecond: 1 })
  const endless = open(port, post(1_000_000))
  const feeding = setInterval(() => endless.socket.write('x'.repeat(50)), 50)
  onTestFinished(() => clearInterval(feeding))
  const reused = open(port, `${post(3)}abc`)
  await sleep(700)
  reused.socket.write(`${post(4)}abcd`)
  await soon(() => expect(reused.received()).toMatch(/\r\n\r\n3HTTP\/1\.1 200 [\s\S]*\r\n\r\n4$/))
  expect(await endless.endedAfterMs).toBeGreaterThan(950)
  expect(endless.received()).toMatch(/^HTTP\/1\.1 408 /)
})

test('idle connections make room for new ones', async () => {
  const { port, refused } = await startServer({ connections: 10 })
  const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
  for (let i = 0; i < 30; i++) {
    const line = open(port, get)
    await soon(() => expect(line.received()).toMatch(/^HTTP\/1\.1 200 /))
  }
  expect(refused).not.toHaveBeenCalled()
})

/** A shop with 40 connections whose clients send nothing, or no whole request. */
async function startHeldShop(url: string) {
  let log = ''
  const shop = await startShop(url, {
    demoCatalog: false,
    env: { MAX_CONNECTIONS: '60', LOG_LEVEL: 'warn' },
    onLog: (text) => (log += text),
  })
  onTestFinished(async () => void (await shop.stop()))
  const port = Number(new URL(shop.origin).port)
  const head = `GET / HTTP/1.1\r\nHost: localhost:${port}\r\n`
  const slow = Array.from({ length: 40 }, (_, i) => open(port, i % 2 ? head : ''))
  return { origin: shop.origin, slow, openMore: () => open(port, head), readLog: () => log }
}

eachEngine((_engine, _openDb, openWithUrl) => {
  test('while clients hold connections and send nothing, the shop answers others', async () => {
    const { url } = await openWithUrl()
    const { origin, openMore, readLog } = await startHeldShop(url)
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await fetch(`${origin}/products`)).status),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    const beyond = Array.from({ length: 40 }, openMore)
    const refused = await Promise.race(beyond.map(({ endedAfterMs }) => endedAfterMs))
    expect(refused).toBeLessThan(5000)
    await soon(() => expect(readLog()).toContain('too many connections'))
  })
})

// The wait knows no database.
onEngine('sqlite', (_openDb, openWithUrl) => {
  test('clients that send nothing are ended after ten seconds, and the shop answers', async () => {
    const { url } = await openWithUrl()
    const { origin, slow } = await startHeldShop(url)
    const ended = await Promise.all(slow.map(({ endedAfterMs }) => endedAfterMs))
    expect(Math.min(...ended)).toBeGreaterThan(9000)
    expect(slow[1]?.received()).toMatch(/^HTTP\/1\.1 408 /)
    expect((await fetch(`${origin}/products`)).status).toBe(200)
  })
})
