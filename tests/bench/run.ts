import type { Engine } from '#db/engine/client.ts'
import { searchProducts } from '#server/search/search-products.ts'
import { engines, freshDatabase, makeTemplates, openTestDatabase } from '#tests/support/databases.ts'
import { testContext } from '#tests/support/context.ts'
import { findPostgres } from '#tests/support/postgres.ts'
import { freePort } from '#tests/support/free-port.ts'
import { startShop, type RunningShop } from '#tests/support/start-shop.ts'
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { importCatalog, type Import } from './import-catalog.ts'
import { load, repeat, type Load } from './load.ts'
import { makeMeasures, type Measure } from './measures.ts'
import { readMemoryMb } from '#tests/support/process-facts.ts'
import { rawQueries } from './raw-server.ts'

/**
 * `npm run bench -- [--catalog DIR] [--engine sqlite|postgres] [--seconds N] [--rounds N]` imports
 * the directories and measures the built shop. Each figure has the raw limit of the same machine in
 * the same round beside it. Prints a table and writes everything as JSON to tests/bench/results.
 */
const { values: options } = parseArgs({
  options: {
    catalog: { type: 'string', default: 'tests/fixtures/directories' },
    engine: { type: 'string' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
  },
})
const ms = Number(options.seconds) * 1000
const rounds = Number(options.rounds)
const measuredStarts = 5
const connections = 10

type Row = { work: string; ours: Omit<Load, 'bytes'>; raw: Omit<Load, 'bytes'> }
type Result = {
  engine: Engine
  products: number
  variants: number
  import: Import
  startMs: number
  rawStartMs: number
  idleMb: number
  loadedMb: number
  rows: Row[]
}

function median<T>(items: readonly T[], figure: (item: T) => number): T {
  const middle = items.toSorted((a, b) => figure(a) - figure(b))[Math.floor(items.length / 2)]
  if (!middle) throw new Error('No measurements.')
  return middle
}

type RawServer = { origin: string; pid: number; readyMs: number; stop: () => Promise<unknown> }

/** Starts a raw server and waits for its first response. */
async function startRawServer(args: (port: number) => string[]): Promise<RawServer> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, args(port), { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const origin = `http://127.0.0.1:${port}`
  for (;;) {
    try {
      await (await fetch(`${origin}/plain`)).text()
      break
    } catch (error) {
      if (!(error instanceof TypeError) || performance.now() - started > 10_000) throw error
      await sleep(5)
    }
  }
  const stop = async (): Promise<void> => {
    child.kill()
    await ended
  }
  return { origin, pid: child.pid ?? 0, readyMs: performance.now() - started, stop }
}

const bareHttp = (port: number): string[] => [
  '-e',
  `require('node:http').createServer((_, response) => response.end('ok')).listen(${port}, '127.0.0.1')`,
]

async function measureOverHttp(
  shop: RunningShop,
  raw: RawServer,
  { work, paths, rawPaths }: Measure,
): Promise<Row> {
  const { bytes } = await load(shop, paths, { ms: ms / 2, connections })
  const ours: Load[] = []
  const limits: Load[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(await load(shop, paths, { ms, connections }))
    limits.push(await load(raw, rawPaths(bytes), { ms, connections }))
  }
  return { work, ours: median(ours, (item) => item.perSecond), raw: median(limits, (item) => item.perSecond) }
}

async function measureInProcess(databaseUrl: string, queries: Record<string, string[]>): Promise<Row[]> {
  const db = openTestDatabase(databaseUrl)
  const raw = rawQueries(databaseUrl)
  const rows: Row[] = []
  const ctx = testContext(db)
  for (const [work, words] of Object.entries(queries)) {
    const word = (i: number): string => words[i % words.length] ?? ''
    await repeat((i) => searchProducts(ctx, { q: word(i) }), ms / 2)
    const ours: Row['ours'][] = []
    const limits: Row['raw'][] = []
    for (let round = 0; round < rounds; round++) {
      ours.push(await repeat((i) => searchProducts(ctx, { q: word(i) }), ms))
      limits.push(await repeat((i) => raw.search(word(i)), ms))
    }
    rows.push({
      work: `${work}, in process`,
      ours: median(ours, (item) => item.perSecond),
      raw: median(limits, (item) => item.perSecond),
    })
  }
  await raw.close()
  await db.destroy()
  return rows
}

async function medianStartMs(
  start: () => Promise<{ readyMs: number; stop: () => Promise<unknown> }>,
): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < measuredStarts; i++) {
    const server = await start()
    times.push(server.readyMs)
    await server.stop()
  }
  return median(times, (time) => time)
}

async function measureEngine(engine: Engine, databaseUrl: string): Promise<Result> {
  const imported = await importCatalog(options.catalog, databaseUrl)
  console.log(`${engine}: ${imported.lastLine}`)
  const db = openTestDatabase(databaseUrl)
  const count = async (table: 'products' | 'productVariants'): Promise<number> =>
    (
      await db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n
  const counts = { products: await count('products'), variants: await count('productVariants') }
  const { measures, queries } = await makeMeasures(db)
  await db.destroy()

  const startMs = await medianStartMs(() => startShop(databaseUrl, { demoCatalog: false }))
  const rawStartMs = await medianStartMs(() => startRawServer(bareHttp))
  const shop = await startShop(databaseUrl, { demoCatalog: false })
  const raw = await startRawServer((port) => [
    '--import',
    'tsx',
    'tests/bench/raw-server.ts',
    databaseUrl,
    String(port),
  ])
  try {
    await sleep(2000)
    const idleMb = readMemoryMb(shop.pid)
    const rows: Row[] = []
    for (const measure of measures) rows.push(await measureOverHttp(shop, raw, measure))
    const loadedMb = readMemoryMb(shop.pid)
    await shop.stop()
    rows.unshift(...(await measureInProcess(databaseUrl, queries)))
    return { engine, ...counts, import: imported, startMs, rawStartMs, idleMb, loadedMb, rows }
  } finally {
    await raw.stop()
  }
}

function print(result: Result): void {
  const figure = (value: number, digits: number): string => value.toFixed(digits).padStart(9)
  console.log(`\n${result.engine}: ${result.products} products, ${result.variants} variants`)
  console.log(`${''.padEnd(42)}      /s   p50 ms   p99 ms   CPU ms    raw /s  of raw`)
  for (const { work, ours, raw } of result.rows) {
    console.log(
      work.padEnd(40) +
        figure(ours.perSecond, 0) +
        figure(ours.p50Ms, 2) +
        figure(ours.p99Ms, 2) +
        figure(ours.cpuMs, 2) +
        figure(raw.perSecond, 0) +
        `${((100 * ours.perSecond) / raw.perSecond).toFixed(0)} %`.padStart(9),
    )
  }
  console.log(
    `start until ready ${result.startMs.toFixed(0)} ms (bare node:http ${result.rawStartMs.toFixed(0)} ms)`,
  )
  console.log(`memory idle ${result.idleMb.toFixed(0)} MiB, after load ${result.loadedMb.toFixed(0)} MiB`)
  console.log(`import ${result.import.seconds.toFixed(1)} s, peak ${result.import.peakMb.toFixed(0)} MiB`)
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const machine = {
  commit,
  date: new Date().toISOString(),
  node: process.version,
  processors: cpus().length,
  model: cpus()[0]?.model ?? '',
  memoryMb: Math.round(totalmem() / 2 ** 20),
  seconds: ms / 1000,
  rounds,
  connections,
}
const server = await findPostgres({ durable: true })
const templates = await makeTemplates(server.url, ['empty'], { durable: true })
const results: Result[] = []
try {
  for (const engine of engines) {
    if (options.engine && options.engine !== engine) continue
    const database = await freshDatabase(templates, engine)
    const result = await measureEngine(engine, database.url)
    results.push(result)
    print(result)
    await database.remove()
  }
} finally {
  await templates.remove()
  await server.stop()
}
mkdirSync('tests/bench/results', { recursive: true })
const file = `tests/bench/results/${machine.date.replaceAll(':', '-')}.json`
writeFileSync(file, `${JSON.stringify({ machine, results }, null, 2)}\n`)
console.log(`\n${file}`)
