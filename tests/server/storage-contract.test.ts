import { parseS3Address } from '#server/integrations/storage/s3-address.ts'
import { openS3 } from '#server/integrations/storage/s3.ts'
import { openLocalStorage } from '#server/integrations/storage/local.ts'
import type { Storage } from '#server/integrations/storage/storage.ts'
import { openUploadThing } from '#server/integrations/storage/uploadthing.ts'
import { mockUploadThing, uploadThingToken } from '#tests/mocks/uploadthing.ts'
import { newId } from '#domain/ids.ts'
import { startS3 } from '#tests/mocks/s3.ts'
import { memoryStorage } from '#tests/support/memory-storage.ts'
import { inChunks } from '#tests/support/sample-files.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { readEnv } from '#server/env.ts'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'

type Opened = {
  storage: Storage
  /** The names of all stored files. */
  list: () => string[] | Promise<string[]>
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-storage-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)

function openMocked() {
  const { server, stored, state } = mockUploadThing()
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  // The SDK warns about its own old fields, two of which it reads after each upload.
  vi.spyOn(console, 'warn').mockImplementation((text) =>
    expect(text).toContain('[uploadthing][deprecated] `file.'),
  )
  return { storage: openUploadThing(uploadThingToken), stored, state }
}

const adapters: Record<string, () => Opened | Promise<Opened>> = {
  'in a folder': () => {
    const folder = join(temporaryFolder(), 'files')
    return { storage: openLocalStorage(folder), list: () => filesIn(folder) }
  },
  'at UploadThing': () => {
    const { storage, stored } = openMocked()
    return { storage, list: () => [...stored.keys()] }
  },
  'in an S3 bucket': async () => {
    const { address, credentials, list, close } = await startS3(temporaryFolder())
    onTestFinished(close)
    return { storage: openS3({ ...parseS3Address(address), credentials }), list }
  },
  'in memory, for tests': () => {
    const storage = memoryStorage()
    return { storage, list: () => [...storage.files.keys()] }
  },
}

async function* stream(bytes: Uint8Array, failure?: Error): AsyncGenerator<Uint8Array> {
  yield* inChunks(bytes, 50_000)
  if (failure) throw failure
}

async function read(storage: Storage, key: string): Promise<Buffer | null> {
  const bytes = await storage.get(key)
  if (!bytes) return null
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe.each(Object.entries(adapters))('%s', (_name, open) => {
  test.each([0, 1, 70_000, 3_000_000])('%d bytes are returned as they were stored', async (size) => {
    const { storage } = await open()
    const [key, bytes] = [newId(), randomBytes(size)]
    await storage.put(key, stream(bytes))
    expect((await read(storage, key))?.equals(bytes)).toBe(true)
  })

  test('different keys store different files', async () => {
    const { storage } = await open()
    const [a, b] = [newId(), newId()]
    await storage.put(a, stream(Buffer.from('one')))
    await storage.put(b, stream(Buffer.from('two')))
    expect([await read(storage, a), await read(storage, b)].map(String)).toEqual(['one', 'two'])
  })

  test('a missing file is null and can be deleted', async () => {
    const { storage } = await open()
    const key = newId()
    expect(await storage.get(key)).toBeNull()
    await storage.delete(key)
    await storage.put(key, stream(Buffer.from('one')))
    await storage.delete(key)
    await storage.delete(key)
    expect(await storage.get(key)).toBeNull()
  })

  test('a failed stream leaves nothing and throws its own error', async () => {
    const { storage, list } = await open()
    const key = newId()
    await expect(storage.put(key, stream(randomBytes(200_000), new Error('broken off')))).rejects.toThrow(
      'broken off',
    )
    expect(await storage.get(key)).toBeNull()
    expect(await list()).toEqual([])
  })

  test('twenty files can be stored at once', async () => {
    const { storage } = await open()
    const files = Array.from({ length: 20 }, () => ({ key: newId(), bytes: randomBytes(100_000) }))
    await Promise.all(files.map(({ key, bytes }) => storage.put(key, stream(bytes))))
    for (const { key, bytes } of files) expect((await read(storage, key))?.equals(bytes)).toBe(true)
  })

  test.each(['', '..', '../../etc/passwd', 'a/b', 'a'.repeat(65), 'with space'])(
    'the key %j is refused',
    async (key) => {
      const { storage } = await open()
      await expect(storage.put(key, stream(Buffer.from('x')))).rejects.toThrow('must be an id')
    },
  )
})

test('local files are readable by their owner only, and partial reads close the file', async () => {
  const folder = temporaryFolder()
  const storage = openLocalStorage(join(folder, 'files'))
  const key = newId()
  await storage.put(key, stream(randomBytes(2_000_000)))
  const file = join(folder, 'files', key.slice(-2), key)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'files')).mode & 0o777).toBe(0o700)
  const open = (): number => readdirSync('/proc/self/fd').length
  const before = open()
  for (let i = 0; i < 50; i++) {
    for await (const chunk of (await storage.get(key)) ?? []) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
  }
  expect(open()).toBeLessThan(before + 5)
})

test('a file that does not fit on the disk is not kept', () => {
  const folder = temporaryFolder()
  // The limit of 100 KiB per file is hit in the middle of a write, like a full disk.
  const put = `
    import { parseS3Address } from '#server/integrations/storage/s3-address.ts'
import { openS3 } from '#server/integrations/storage/s3.ts'
import { openLocalStorage } from '#server/integrations/storage/local.ts'
    process.on('SIGXFSZ', () => {})
    const bytes = async function* () { yield Buffer.alloc(200_000, 1) }
    const code = await openLocalStorage(process.env.FOLDER).put('${newId()}', bytes()).catch(({ code }) => code)
    console.log(code ?? 'kept')
  `
  const output = execFileSync(
    'bash',
    ['-c', 'ulimit -f 100; exec "$0" --import tsx --input-type=module -e "$1"', process.execPath, put],
    { env: { ...process.env, FOLDER: folder }, encoding: 'utf8' },
  )
  expect(output).toBe('EFBIG\n')
  expect(filesIn(folder)).toEqual([])
})

test('only old temporary files are deleted', async () => {
  const folder = temporaryFolder()
  const storage = openLocalStorage(folder)
  const key = newId()
  await storage.put(key, stream(Buffer.from('whole')))
  const shard = join(folder, key.slice(-2))
  const [old, young] = [join(shard, `${newId()}.0a.tmp`), join(shard, `${newId()}.0b.tmp`)]
  for (const file of [old, young]) writeFileSync(file, 'half')
  const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3600_000)
  utimesSync(old, hoursAgo(2), hoursAgo(2))
  utimesSync(join(shard, key), hoursAgo(48), hoursAgo(48))
  await storage.deleteLeftovers(hoursAgo(1))
  expect(new Set(filesIn(folder))).toEqual(new Set([key, young.split('/').at(-1)]))
  await openLocalStorage(join(folder, 'never made')).deleteLeftovers(new Date())
})

test.each([500, 403, 401])(
  'an UploadThing error %d is reported as unavailable and leaves no temporary file',
  async (status) => {
    const { storage, stored, state } = openMocked()
    const key = newId()
    // Other tests, and other shops on this machine, upload through the common folder.
    const temporary = temporaryFolder()
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    await storage.put(key, stream(Buffer.from('one')))
    state.breakWith = status
    const unavailable = expect.objectContaining({ code: 'UNAVAILABLE', retryAfter: 30 })
    await expect(storage.put(newId(), stream(Buffer.from('two')))).rejects.toThrow(unavailable)
    await expect(storage.get(key)).rejects.toThrow(unavailable)
    await expect(storage.delete(key)).rejects.toThrow(unavailable)
    expect(readdirSync(temporary)).toEqual([])
    expect([...stored.keys()]).toEqual([key])
  },
)

/** A server on this machine with the answers of a test. */
async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return `http://127.0.0.1:${port}`
}

const failureOf = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.then(() => null).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'UNAVAILABLE', retryAfter: 30 })
  return inspect(error, { depth: 9 })
}

test('an UploadThing response that stalls fails the call', async () => {
  const here = await startServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' }).write('{')
  })
  const realFetch = fetch
  vi.stubGlobal('fetch', (_url: string, init: RequestInit) => realFetch(here, init))
  onTestFinished(() => void vi.unstubAllGlobals())
  const storage = openUploadThing(uploadThingToken, { requestMs: 100 })
  expect(await failureOf(storage.put(newId(), stream(Buffer.from('one'))))).toContain('upload failed')
  expect(await failureOf(storage.get(newId()))).toContain('no signed URL')
  expect(await failureOf(storage.delete(newId()))).toContain('request failed')
})

/** A server in place of S3 with the answers of a test. */
async function startFailing(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  limits: Parameters<typeof openS3>[1] = { retryMs: 1 },
) {
  const asked: string[] = []
  const endpoint = await startServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    request.resume().once('end', () => answer(request, response))
  })
  const s3 = parseS3Address(`s3://private-bucket?endpoint=${endpoint}&prefix=shop/files`)
  const credentials = { accessKeyId: 'AKIA-OURS', secretAccessKey: 'our-secret' }
  return { asked, storage: openS3({ ...s3, credentials }, limits) }
}

test.each([
  [500, 'InternalError', 3],
  [403, 'AccessDenied', 1],
  [404, 'NoSuchBucket', 1],
])('an S3 error %d %s is tried in bounds and reported without keys', async (status, code, times) => {
  const { asked, storage } = await startFailing((_, response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/xml' })
      .end(`<Error><Code>${code}</Code><Message>private-bucket of AKIA-OURS</Message></Error>`),
  )
  const key = newId()
  for (const work of [
    () => storage.put(key, stream(Buffer.from('one'))),
    () => storage.get(key),
    () => storage.delete(key),
  ]) {
    asked.length = 0
    const failure = await failureOf(work())
    expect(failure).toContain(`failed, ${status} ${code}`)
    expect(failure).not.toMatch(/private-bucket|AKIA|our-secret/)
    expect(asked).toEqual(
      Array(times).fill(expect.stringMatching(`^[A-Z]+ /private-bucket/shop/files/${key}`)),
    )
  }
})

test('S3 that never answers, or stops in the middle of a file, is given up', async () => {
  const hasty = { idleMs: 100, requestMs: 100, retryMs: 1 }
  const { storage: silent } = await startFailing(() => {}, hasty)
  expect(await failureOf(silent.put(newId(), stream(Buffer.from('one'))))).toContain('no answer in time')
  expect(await failureOf(silent.get(newId()))).toContain('no answer in time')
  const { storage: stalled } = await startFailing(
    (_, response) => response.writeHead(200, { 'Content-Length': '100', ETag: '"1"' }).write('half'),
    hasty,
  )
  expect(await failureOf(read(stalled, newId()))).toContain('download failed')
})

test('a file that arrives slowly is read to its end', async () => {
  const { storage } = await startFailing(
    (_, response) => {
      response.writeHead(200, { 'Content-Length': '60', ETag: '"1"' })
      let sent = 0
      const timer = setInterval(() => {
        response.write('ten bytes,')
        if (++sent === 6) clearInterval(timer)
      }, 50)
    },
    { idleMs: 1000, requestMs: 200, retryMs: 1 },
  )
  expect(String(await read(storage, newId()))).toBe('ten bytes,'.repeat(6))
})

test('an upload that fails once is repeated whole', async () => {
  const bodies: string[] = []
  const endpoint = await startServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => response.writeHead(bodies.push(body) === 1 ? 500 : 200, { ETag: '"1"' }).end())
  })
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
  const s3 = parseS3Address(`s3://bucket?endpoint=${endpoint}`)
  await openS3({ ...s3, credentials }, { retryMs: 1 }).put(newId(), stream(Buffer.from('whole file')))
  expect(bodies).toEqual(['whole file', 'whole file'])
})

test('an upload is repeated with the time of S3 when the clock of this machine is wrong', async () => {
  const hourMs = 3600_000
  const { asked, storage } = await startFailing(
    ({ headers }, response) => {
      const now = new Date(Date.now() + hourMs)
      response.setHeader('Date', now.toUTCString())
      const signed = /^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/.exec(String(headers['x-amz-date']))
      const [, year, month, hour, minute, second] = signed ?? []
      const ageMs = now.getTime() - Date.parse(`${year}-${month}-${hour}:${minute}:${second}`)
      if (ageMs < hourMs / 2) response.writeHead(200, { ETag: '"1"' }).end()
      else response.writeHead(403).end('<Error><Code>RequestTimeTooSkewed</Code></Error>')
    },
    { retryMs: 1 },
  )
  await storage.put(newId(), stream(Buffer.from('one')))
  expect(asked).toHaveLength(2)
})

const page = '<!DOCTYPE html><html><p>No such page<br></html>'

test.each([
  ['a page', 200, page, '200 not from S3', 1],
  ['a page', 404, page, '404 not from S3', 1],
  ['a proxy without a server', 502, page, '502 not from S3', 3],
  ['nothing', 404, '', '404 NotFound', 1],
])('%s with %d in place of S3 stores, has and loses no file', async (_, status, text, failure, times) => {
  const { asked, storage } = await startFailing((_request, response) =>
    response.writeHead(status, { 'Content-Type': 'text/html' }).end(text),
  )
  for (const work of [() => storage.put(newId(), stream(Buffer.from('one'))), () => storage.get(newId())]) {
    asked.length = 0
    expect(await failureOf(work())).toContain(`load failed, ${failure}`)
    expect(asked).toHaveLength(times)
  }
})

test('a failed connection to S3 is reported with its cause', async () => {
  const { storage: broken } = await startFailing((request) => request.socket.destroy())
  expect(await failureOf(broken.put(newId(), stream(Buffer.from('one'))))).toContain(
    'upload failed, no connection (ECONNRESET)',
  )
  const closed = parseS3Address('s3://bucket?endpoint=http://127.0.0.1:1')
  const storage = openS3(
    { ...closed, credentials: { accessKeyId: 'a', secretAccessKey: 'b' } },
    { retryMs: 1 },
  )
  expect(await failureOf(storage.get(newId()))).toContain('download failed, no connection (ECONNREFUSED)')
})

test('S3’s address has no credentials and a safe endpoint', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
  const of = (STORAGE: string, more: Record<string, string> = keys) =>
    readEnv('production', { ...productionEnv, ...more, STORAGE }).storage
  expect(of('s3://files?endpoint=https://s3.example.com&region=eu-1&prefix=shop')).toEqual({
    kind: 's3',
    bucket: 'files',
    endpoint: 'https://s3.example.com',
    region: 'eu-1',
    prefix: 'shop/',
    pathStyle: true,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  })
  expect(of('s3://files')).toMatchObject({
    endpoint: null,
    region: 'us-east-1',
    prefix: '',
    pathStyle: false,
  })
  expect(of('s3://files?endpoint=http://127.0.0.1:9000')).toMatchObject({ endpoint: 'http://127.0.0.1:9000' })
  expect(() => of('s3://files', {})).toThrow(
    'AWS_ACCESS_KEY_ID: is required with STORAGE=s3://…\nAWS_SECRET_ACCESS_KEY: is required with STORAGE=s3://…',
  )
  for (const [text, mistake] of [
    ['s3://files?endpoint=http://s3.example.com', 'with https'],
    ['s3://files?endpoint=https://s3.example.com/path', 'is an origin'],
    ['s3://id:secret@files', 'must not contain credentials'],
    ['s3://files/folder', 'as ?prefix='],
    ['s3://files?prefix=../other', 'prefix'],
    ['s3://files?acl=public', 'nothing else'],
    ['s3://files?region=a&region=b', 'region twice'],
    ['s3://files?pathStyle=maybe', 'pathStyle=on'],
    ['s3://', 'STORAGE'],
    ['ftp://files', 'must be local:/path, s3://bucket or uploadthing'],
  ] as const)
    expect(() => of(text), text).toThrow(mistake)
})
