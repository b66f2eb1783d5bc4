import { toByteStream } from '#app/http/api.server.ts'
import { streamBody } from '#app/http/stream-body.server.ts'
import { startStream } from '#server/files/start-stream.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { buffer } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'

const chunkBytes = 64 * 1024

/** Chunks of 64 KiB, how many of them were taken, and whether the source was closed. */
function countedSource(count: number, failure?: Error) {
  const seen = { taken: 0, isClosed: false }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (let i = 0; i < count; i++) {
        seen.taken++
        yield new Uint8Array(chunkBytes).fill(i)
      }
      if (failure) throw failure
    } finally {
      seen.isClosed = true
    }
  }
  return { seen, chunks: chunks() }
}

test('a body has the bytes of its source, and closes it', async () => {
  const { seen, chunks } = countedSource(5)
  const bytes = Buffer.from(await new Response(streamBody(await startStream(chunks))).arrayBuffer())
  expect(bytes.equals(await buffer(countedSource(5).chunks))).toBe(true)
  expect(seen).toEqual({ taken: 5, isClosed: true })
})

test('a slow reader holds the source back', async () => {
  const { seen, chunks } = countedSource(1000)
  const reader = streamBody(await startStream(chunks)).getReader()
  for (let read = 1; read <= 20; read++) {
    await reader.read()
    for (let i = 0; i < 20; i++) await nextTurn()
    expect(seen.taken - read).toBeLessThanOrEqual(3)
  }
  await reader.cancel()
})

test.each([
  ['before it is read', 0, undefined],
  ['after a chunk', 1, undefined],
  ['with an error', 1, new Error('The client disconnected.')],
])(
  'a body that is cancelled %s closes its source, and no error escapes',
  async (_name, chunksRead, reason) => {
    const { seen, chunks } = countedSource(1000)
    const reader = streamBody(await startStream(chunks)).getReader()
    for (let i = 0; i < chunksRead; i++) await reader.read()
    await reader.cancel(reason)
    await vi.waitUntil(() => seen.isClosed, { timeout: 60_000 })
    // An error event without a listener would reach the process by now, and fail this file.
    for (let i = 0; i < 20; i++) await nextTurn()
    expect(seen.taken).toBeLessThan(6)
  },
)

test('a source that fails before its first chunk opens no stream, and one that fails later breaks the body', async () => {
  const failure = new Error('The storage is down.')
  await expect(startStream(countedSource(0, failure).chunks)).rejects.toBe(failure)
  const body = streamBody(await startStream(countedSource(3, failure).chunks))
  await expect(new Response(body).arrayBuffer()).rejects.toThrow('The storage is down.')
})

test('a list that fails before 64 KiB of it are read is an error with a status, not a broken body', async () => {
  const failure = new Error('The database is down.')
  async function* rows(count: number): AsyncGenerator<string> {
    for (let i = 0; i < count; i++) yield 'x'.repeat(1024)
    throw failure
  }
  await expect(toByteStream(rows(60))).rejects.toBe(failure)
  const body = await toByteStream(rows(70))
  await expect(new Response(body).text()).rejects.toThrow('The database is down.')
})
