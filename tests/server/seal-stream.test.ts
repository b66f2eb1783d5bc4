import { chunkBytes, newFileKey, openStream, sealedSize, sealStream } from '#server/crypto/seal-stream.ts'
import { inChunks } from '#tests/support/sample-files.ts'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'

const id = '019a7c1e-0000-7000-8000-0000000000f1'
const sealedChunk = chunkBytes + 16
const headerBytes = 12

async function* stream(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  yield* inChunks(bytes, size)
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(Buffer.from(chunk))
  return Buffer.concat(all)
}

const sealed = (key: Buffer, bytes: Uint8Array, fileId = id, size?: number): Promise<Buffer> =>
  collect(sealStream(key, fileId, stream(bytes, size)))
const opened = (key: Buffer, bytes: Uint8Array, fileId = id, size?: number): Promise<Buffer> =>
  collect(openStream(key, fileId, stream(bytes, size)))

test.each([0, 1, 100, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes, 200_001])(
  'a file of %d bytes opens unchanged, however its chunks are cut',
  async (size) => {
    const key = newFileKey()
    const plain = randomBytes(size)
    for (const cut of [1_000_000, 65_536, 1000]) {
      const bytes = await sealed(key, plain, id, cut)
      expect(bytes.length).toBe(sealedSize(size))
      expect((await opened(key, bytes, id, cut)).equals(plain)).toBe(true)
    }
  },
)

test('sealed bytes reveal nothing and differ each time', async () => {
  const key = newFileKey()
  const plain = Buffer.from('Amoxicillin 500 mg '.repeat(10_000))
  const [one, other] = [await sealed(key, plain), await sealed(key, plain)]
  expect(one.includes('Amoxicillin')).toBe(false)
  expect(
    one.subarray(headerBytes, headerBytes + 64).equals(other.subarray(headerBytes, headerBytes + 64)),
  ).toBe(false)
})

test('a modified file does not open', async () => {
  const key = newFileKey()
  const plain = randomBytes(3 * chunkBytes + 10)
  const bytes = await sealed(key, plain)
  const chunk = (n: number): Buffer =>
    bytes.subarray(headerBytes + n * sealedChunk, headerBytes + Math.min((n + 1) * sealedChunk, bytes.length))
  const header = bytes.subarray(0, headerBytes)
  const other = await sealed(key, plain)
  const changes: Record<string, Buffer> = {
    'nothing left': Buffer.alloc(0),
    'the header alone': header,
    'a part of the header': header.subarray(0, 5),
    'without its last chunk': Buffer.concat([header, chunk(0), chunk(1), chunk(2)]),
    'without its first chunk': Buffer.concat([header, chunk(1), chunk(2), chunk(3)]),
    'without one in the middle': Buffer.concat([header, chunk(0), chunk(2), chunk(3)]),
    'two chunks changed places': Buffer.concat([header, chunk(1), chunk(0), chunk(2), chunk(3)]),
    'a chunk twice': Buffer.concat([header, chunk(0), chunk(0), chunk(1), chunk(2), chunk(3)]),
    'cut within a chunk': bytes.subarray(0, -1),
    'cut within a tag': bytes.subarray(0, headerBytes + 10),
    'something behind': Buffer.concat([bytes, Buffer.alloc(1)]),
    'the last chunk twice': Buffer.concat([bytes, chunk(3)]),
    'another header': Buffer.concat([other.subarray(0, headerBytes), bytes.subarray(headerBytes)]),
    'a chunk of another file': Buffer.concat([
      header,
      other.subarray(headerBytes, headerBytes + sealedChunk),
      bytes.subarray(headerBytes + sealedChunk),
    ]),
  }
  for (const at of [0, 4, 5, 11, 12, 500, headerBytes + chunkBytes, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    changes[`byte ${at}`] = changed
  }
  for (const [name, changed] of Object.entries(changes))
    await expect(opened(key, changed), name).rejects.toThrow(`The stored file ${id} `)
  await expect(opened(newFileKey(), bytes), 'another key').rejects.toThrow(`${id} is damaged`)
  const otherId = id.replace('f1', 'f2')
  await expect(opened(key, bytes, otherId), 'another id').rejects.toThrow(`${otherId} is damaged`)
})

test('no byte of an unauthenticated chunk is returned', async () => {
  const key = newFileKey()
  const bytes = await sealed(key, randomBytes(2 * chunkBytes))
  bytes[headerBytes + sealedChunk + 5] = (bytes[headerBytes + sealedChunk + 5] ?? 0) ^ 1
  let returnedBytes = 0
  const reading = (async () => {
    for await (const chunk of openStream(key, id, stream(bytes))) returnedBytes += chunk.length
  })()
  await expect(reading).rejects.toThrow(`${id} is damaged`)
  expect(returnedBytes).toBe(chunkBytes)
})
