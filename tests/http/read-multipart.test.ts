import { parseBoundary, readMultipart } from '#app/http/read-multipart.server.ts'
import { AppError } from '#domain/errors.ts'
import { inChunks } from '#tests/support/sample-files.ts'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'

async function* stream(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  yield* inChunks(bytes, size)
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(Uint8Array.from(piece))
  return Buffer.concat(pieces)
}

/** A form as Node serializes it. */
async function written(form: FormData): Promise<{ bytes: Buffer; boundary: string }> {
  const response = new Response(form)
  const boundary = parseBoundary(response.headers.get('content-type')) ?? ''
  return { boundary, bytes: Buffer.from(await response.arrayBuffer()) }
}

test('a form is parsed the same however it is chunked', async () => {
  const field = fc.record({
    name: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
    value: fc.oneof(
      fc.string({ maxLength: 60, unit: 'grapheme' }),
      fc.uint8Array({ maxLength: 3000 }),
      fc.constantFrom('\r\n--', '--', '\r\n', '\r\n-----WebKit'),
    ),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(field, { maxLength: 5 }),
      fc.integer({ min: 1, max: 5000 }),
      async (fields, size) => {
        const form = new FormData()
        for (const { name, value } of fields) {
          if (typeof value === 'string') form.append(name, value)
          else form.append(name, new File([value], 'x"y\r\n.pdf'))
        }
        const { bytes, boundary } = await written(form)
        const expected = [
          ...(await new Response(Uint8Array.from(bytes), {
            headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
          }).formData()),
        ]
        const read: [string, boolean, string][] = []
        for await (const { name, isFile, body } of readMultipart(stream(bytes, size), boundary)) {
          read.push([name, isFile, (await collect(body)).toString('base64')])
        }
        expect(read).toEqual(
          await Promise.all(
            expected.map(async ([name, value]) => [
              name,
              typeof value !== 'string',
              (typeof value === 'string'
                ? Buffer.from(value)
                : Buffer.from(await value.arrayBuffer())
              ).toString('base64'),
            ]),
          ),
        )
      },
    ),
    { numRuns: 300 },
  )
})

test('an unread or partly read part is skipped', async () => {
  const form = new FormData()
  form.set('big', new File(['x'.repeat(500_000)], 'big'))
  form.set('half', new File(['y'.repeat(500_000)], 'half'))
  form.set('last', 'here')
  const { bytes, boundary } = await written(form)
  const seen: string[] = []
  for await (const { name, body } of readMultipart(stream(bytes, 10_000), boundary)) {
    seen.push(name)
    if (name === 'half') for await (const piece of body) if (piece.length > 0) break
    if (name === 'last') seen.push(String(await collect(body)))
  }
  expect(seen).toEqual(['big', 'half', 'last', 'here'])
})

test('a form truncated at any byte is rejected', async () => {
  const form = new FormData()
  form.set('a', 'one')
  form.set('file', new File(['\r\n--x'.repeat(20)], 'file'))
  form.set('b', 'two')
  const { bytes, boundary } = await written(form)
  const end = bytes.lastIndexOf(`--${boundary}--`) + boundary.length + 4
  for (const mayRead of [true, false]) {
    for (let length = 0; length < end; length++) {
      const read = async (): Promise<void> => {
        const source = stream(bytes.subarray(0, length), 7)
        for await (const { body } of readMultipart(source, boundary)) if (mayRead) await collect(body)
      }
      await expect(read(), String(length)).rejects.toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
    }
  }
})

test('a stream error reaches the part being read', async () => {
  const form = new FormData()
  form.set('file', new File(['x'.repeat(500_000)], 'file'))
  const { bytes, boundary } = await written(form)
  const tooLarge = new AppError('TOO_LARGE')
  // More than the parser buffers, 64 KiB from Node 22 on. So the part is being read by then.
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield* stream(bytes.subarray(0, 250_000), 1000)
    throw tooLarge
  }
  const seen: string[] = []
  const read = async (): Promise<void> => {
    for await (const { name, body } of readMultipart(failing(), boundary)) {
      seen.push(name)
      await expect(collect(body)).rejects.toBe(tooLarge)
    }
  }
  await expect(read()).rejects.toBe(tooLarge)
  expect(seen).toEqual(['file'])
})

test('a slow reader applies backpressure, and stopping early closes the stream', async () => {
  const form = new FormData()
  form.set('file', new File(['x'.repeat(5_000_000)], 'file'))
  const { bytes, boundary } = await written(form)
  let sentBytes = 0
  let isEnded = false
  async function* counted(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of stream(bytes, 64 * 1024)) {
        sentBytes += chunk.byteLength
        yield chunk
      }
    } finally {
      isEnded = true
    }
  }
  for await (const { body } of readMultipart(counted(), boundary)) {
    let readBytes = 0
    for await (const chunk of body) {
      readBytes += chunk.length
      await new Promise((resolve) => setImmediate(resolve))
      expect(sentBytes - readBytes).toBeLessThan(512 * 1024)
      if (readBytes > 1_000_000) break
    }
    break
  }
  await vi.waitUntil(() => isEnded, { timeout: 60_000 })
  expect(sentBytes).toBeLessThan(2_000_000)
})

test('a malformed form is rejected in constant memory', async () => {
  const form = new FormData()
  form.set('a', 'one')
  const { bytes, boundary } = await written(form)
  const read = async (given: Uint8Array): Promise<void> => {
    for await (const { body } of readMultipart(stream(given, 1000), boundary)) await collect(body)
  }
  const text = bytes.toString('latin1')
  for (const torn of [
    '',
    'hello',
    text.slice(0, -boundary.length),
    text.slice(0, 20),
    text.replace('form-data', 'attachment'),
    text.replace('name="a"', ''),
    `--${boundary}x\r\n${text}`,
    `--${boundary}\r\n${'x: y\r\n'.repeat(5000)}`,
    'x'.repeat(100_000),
  ]) {
    await expect(read(Buffer.from(torn, 'latin1')), torn.slice(0, 40)).rejects.toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST' }),
    )
  }
})

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['multipart/form-data; charset=utf-8; boundary="a b"', 'a b'],
  ['Multipart/Form-Data;boundary=----WebKitFormBoundary7MA4YWxk', '----WebKitFormBoundary7MA4YWxk'],
  ['multipart/form-data', null],
  ['application/json; boundary=abc', null],
  [`multipart/form-data; boundary=${'a'.repeat(71)}`, null],
  [null, null],
])('the boundary of %j is %j', (type, boundary) => {
  expect(parseBoundary(type)).toBe(boundary)
})
