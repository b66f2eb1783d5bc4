import { createSniffer } from '#domain/files/file-sniffing.ts'
import { newFileKey, openStream, sealStream } from '#server/crypto/seal-stream.ts'
import { maxFileBytes } from '#domain/files/files.ts'
import { inChunks, samplePdf } from '#tests/support/sample-files.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCpuMs, sampleMemory, readMemoryMb } from '#tests/support/process-facts.ts'

/**
 * `npm run bench:files`: how fast one core seals, opens and inspects files, and how much memory the
 * built shop uses while fifty customers upload ten megabytes each at once.
 */
const rounds = 5
const uploads = 50
const file = samplePdf('x', maxFileBytes)
const megabytes = file.length / 1_000_000

async function* stream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* inChunks(bytes, 64 * 1024)
}

/** Megabytes per second of CPU time: the median of the rounds of 20 files each. */
async function speedOf(work: () => Promise<unknown>): Promise<number> {
  const speeds: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    for (let i = 0; i < 20; i++) await work()
    const { user, system } = process.cpuUsage(before)
    speeds.push((20 * megabytes) / ((user + system) / 1_000_000))
  }
  return speeds.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
}

async function drain(chunks: AsyncIterable<Uint8Array>): Promise<Buffer[]> {
  const copies: Buffer[] = []
  for await (const chunk of chunks) copies.push(Buffer.from(chunk))
  return copies
}

async function consume(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of chunks) void chunk
}

const key = newFileKey()
const sealed = Buffer.concat(await drain(sealStream(key, 'bench', stream(file))))
const figures = {
  'sealing, MB per second of one core': await speedOf(() => consume(sealStream(key, 'bench', stream(file)))),
  'opening, MB per second of one core': await speedOf(() =>
    consume(openStream(key, 'bench', stream(sealed))),
  ),
  'inspecting, MB per second of one core': await speedOf(async () => {
    const sniffer = createSniffer()
    for await (const chunk of stream(file)) sniffer.push(chunk)
    if (sniffer.finish() === null) throw new Error('The sample has no known file type.')
  }),
}

async function signIn(origin: string): Promise<string> {
  const response = await fetch(`${origin}/login`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'customer@meridian.test', password: 'meridian-demo' }),
    headers: { origin },
    redirect: 'manual',
  })
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

async function upload(origin: string, cookie: string): Promise<void> {
  const created = await fetch(`${origin}/api/objects/upload`, { method: 'POST', headers: { cookie } })
  const { uploadURL } = (await created.json()) as { uploadURL: string }
  const response = await fetch(uploadURL, { method: 'PUT', headers: { cookie }, body: Uint8Array.from(file) })
  if (response.status !== 200) throw new Error(`An upload returned ${response.status}.`)
}

const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-'))
const shop = await startShop(`sqlite:${join(folder, 'shop.sqlite')}`, {
  demoCatalog: false,
  env: { RATE_LIMITS: 'off' },
})
try {
  const cookie = await signIn(shop.origin)
  await upload(shop.origin, cookie)
  const [before, cpuBefore, started] = [readMemoryMb(shop.pid), readCpuMs(shop.pid), performance.now()]
  const memory = sampleMemory(shop.pid)
  await Promise.all(Array.from({ length: uploads }, () => upload(shop.origin, cookie)))
  const seconds = (performance.now() - started) / 1000
  Object.assign(figures, {
    [`${uploads} uploads of 10 MB at once, MB of additional memory`]: memory.stop() - before,
    [`${uploads} uploads, processor ms each`]: (readCpuMs(shop.pid) - cpuBefore) / uploads,
    [`${uploads} uploads, seconds`]: seconds,
  })
} finally {
  await shop.stop()
  rmSync(folder, { recursive: true, force: true })
}
for (const [name, figure] of Object.entries(figures)) console.log(`${name}: ${figure.toFixed(1)}`)
