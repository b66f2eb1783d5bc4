import type { Engine } from '#db/engine/client.ts'
import { seedOrders } from '#server/demo/seed-orders.ts'
import { newAdmin, newBuyer } from '#tests/support/buyer.ts'
import { engines, freshDatabase, makeTemplates, openTestDatabase } from '#tests/support/databases.ts'
import { findPostgres } from '#tests/support/postgres.ts'
import { readCpuMs, readMemoryMb, readPeakMemoryMb } from '#tests/support/process-facts.ts'
import { startShop, type RunningShop } from '#tests/support/start-shop.ts'
import { readArguments } from '#tests/support/read-arguments.ts'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMet, tableHead, tableLine, type Goal, type TableRow } from './goals.ts'
import { generateDirectory } from './generate-directory.ts'
import { importCatalog, type Import } from './import-catalog.ts'
import { load, type Load } from './load.ts'
import { adminMeasures, makeMeasures, type Measure } from './measures.ts'
import {
  addToCart,
  measureBuyers,
  measureCommits,
  placeOneOrder,
  removeFromCart,
  stockUp,
} from './order-load.ts'
import { readPageWeights } from './page-weights.ts'
import { fillForScreening, measureScreening } from './screening-cost.ts'
import { startRawServer, type RawServer } from './start-raw-server.ts'
import { withContext } from './write-orders.ts'

/**
 * `npm run bench` imports 20,000 made-up medicines in 60,000 packages, or the directories of a
 * folder, measures the built shop and prints the table of goals: each figure, the raw limit of the
 * same machine in the same rounds, its share and its goal. `--only` takes parts of the names of the
 * work, separated by commas. `--database` names a database that is imported already. Everything is
 * kept as JSON in tests/bench/results.
 */
const usage =
  'npm run bench -- [--catalog DIR] [--engine sqlite|postgres] [--only WORDS] [--seconds N] [--rounds N] [--database URL]'
const { values: options } = readArguments(usage, {
  options: {
    catalog: { type: 'string' },
    engine: { type: 'string' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
    database: { type: 'string' },
  },
})
const ms = Number(options.seconds) * 1000
const rounds = Number(options.rounds)
const only = options.only.split(',').map((part) => part.trim().toLowerCase())
const isWanted = (work: string): boolean => only.some((part) => work.toLowerCase().includes(part))
const measuredStarts = 5
const connections = 10
const buyerCount = 8
const seededOrders = 480
const generatedProducts = 20_000
const atMost = (most: number): Goal => ({ kind: 'amount', atMost: most })

const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0

/** Prints each line as soon as it is known. */
function table(): { rows: TableRow[]; add: (row: TableRow) => void } {
  const rows: TableRow[] = []
  return {
    rows,
    add: (row) => {
      if (rows.length === 0) console.log(tableHead())
      rows.push(row)
      console.log(tableLine(row))
    },
  }
}
type Table = ReturnType<typeof table>

/** Measures ours and the limit in turns, so that both meet the same noise. */
async function measureOverHttp(
  { add, rows }: Table,
  shop: RunningShop,
  raw: RawServer,
  { work, paths, rawPaths, isRaw, cookie, acceptsGzip, beside, goal, maxKilobytes }: Measure,
): Promise<void> {
  if (!isWanted(work)) return
  const how = { connections, ...(cookie && { cookie }), ...(acceptsGzip && { acceptsGzip }) }
  const measured = isRaw ? raw : shop
  // Twice, so that what is cached is there, and compressed.
  const { bytes } = await load(measured, paths, { ms: ms / 2, atLeast: 2 * paths.length, ...how })
  await warmUp(measured, () => load(measured, paths, { ms, ...how }))
  const ours: Load[] = []
  const limits: Load[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(await load(measured, paths, { ms, ...how }))
    if (rawPaths) limits.push(await load(raw, rawPaths(), { ms, connections }))
  }
  const other = rows.find((row) => row.work === beside)
  add({
    work,
    unit: '/s',
    ours: median(ours.map(({ perSecond }) => perSecond)),
    cpuMs: median(ours.map(({ cpuMs }) => cpuMs)),
    ...(rawPaths && {
      raw: median(limits.map(({ perSecond }) => perSecond)),
      rawCpuMs: median(limits.map(({ cpuMs }) => cpuMs)),
      share: median(ours.map(({ perSecond }, i) => perSecond / (limits[i]?.perSecond ?? 0))),
    }),
    ...(beside && { share: median(ours.map(({ perSecond }) => perSecond)) / (other?.ours ?? Number.NaN) }),
    ...(goal && { goal }),
  })
  if (maxKilobytes) add({ work: `${work}, HTML`, unit: 'kB', ours: bytes / 1000, goal: atMost(maxKilobytes) })
}

/** Repeats work until V8 has compiled it: a new process takes twice the CPU time. */
async function warmUp({ pid }: { pid: number }, work: () => Promise<unknown>): Promise<void> {
  const until = readCpuMs(pid) + warmCpuMs
  while (readCpuMs(pid) < until) await work()
}
const warmCpuMs = 15_000

/** Orders and carts of eight customers at once. */
async function measureCustomers(
  { add }: Table,
  shop: RunningShop,
  engine: Engine,
  url: string,
): Promise<void> {
  const perSecond = { sqlite: 500, postgres: 400 }[engine]
  const works = [
    { work: 'orders through the API, 8 at once, durable', count: buyerCount, perSecond },
    { work: 'orders of one item, 8 at once, durable', count: 1, perSecond },
  ]
  const cart = 'add to cart, form, 8 at once'
  if (![...works.map(({ work }) => work), cart].some(isWanted)) return
  const variants = await stockUp(shop, url, buyerCount)
  const variantOf = (i: number): string => variants[i % variants.length] ?? ''
  const buyers = await Promise.all(
    Array.from({ length: buyerCount }, (_, i) => newBuyer(shop.origin, `bench-${i}`)),
  )
  if (works.some(({ work }) => isWanted(work)))
    await warmUp(shop, () =>
      measureBuyers(shop, buyers, ms, (buyer, i) => placeOneOrder(buyer, variantOf(i))),
    )
  for (const { work, count, perSecond } of works) {
    if (!isWanted(work)) continue
    const ours = []
    const limits: number[] = []
    for (let round = 0; round < rounds; round++) {
      ours.push(
        await measureBuyers(shop, buyers, ms, (buyer, i) => placeOneOrder(buyer, variantOf(i % count))),
      )
      limits.push(await measureCommits(url, buyerCount, ms))
    }
    add({
      work,
      unit: '/s',
      ours: median(ours.map((each) => each.perSecond)),
      cpuMs: median(ours.map(({ cpuMs }) => cpuMs)),
      raw: median(limits),
      share: median(ours.map((each, i) => each.perSecond / (limits[i] ?? 0))),
      goal: { kind: 'perSecond', atLeast: perSecond },
    })
  }
  if (isWanted(cart)) {
    const fillCarts = () => measureBuyers(shop, buyers, ms, (buyer, i) => addToCart(buyer, variantOf(i)))
    await warmUp(shop, async () => {
      await fillCarts()
      // A line holds at most 999 units.
      await Promise.all(buyers.map((buyer, i) => removeFromCart(buyer, variantOf(i))))
    })
    const ours = []
    for (let round = 0; round < rounds; round++) ours.push(await fillCarts())
    add({
      work: cart,
      unit: '/s',
      ours: median(ours.map((each) => each.perSecond)),
      cpuMs: median(ours.map(({ cpuMs }) => cpuMs)),
      goal: { kind: 'perSecond', atLeast: 500 },
    })
  }
  for (const buyer of buyers) buyer.close()
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
  return median(times)
}

async function measureStart({ add }: Table, url: string): Promise<void> {
  const work = 'start until ready'
  if (!isWanted(work)) return
  const ours = await medianStartMs(() => startShop(url, { demoCatalog: false }))
  const raw = await medianStartMs(() => startRawServer(null))
  add({ work, unit: 'ms', ours, raw, share: ours / raw, goal: atMost(2 * raw) })
}

/** Without a folder of directories, all machines measure the same generated ones. */
const catalog =
  options.catalog ?? generateDirectory(mkdtempSync(join(tmpdir(), 'meridian-directory-')), generatedProducts)

/** The import of the other engine, which the one of Postgres is compared with. */
const imports: Partial<Record<Engine, Import>> = {}

async function importDirectories({ add }: Table, engine: Engine, url: string): Promise<void> {
  const imported = await importCatalog(catalog, url)
  imports[engine] = imported
  console.log(`\n${engine}: ${imported.lastLine}`)
  const work = 'import of the directories'
  if (!isWanted(work)) return
  const sqlite = engine === 'postgres' ? imports.sqlite : undefined
  add({
    work,
    unit: 's',
    ours: imported.seconds,
    ...(sqlite && { raw: sqlite.seconds, share: imported.seconds / sqlite.seconds }),
    goal: atMost(sqlite ? 1.3 * sqlite.seconds : 15),
  })
  add({ work: `${work}, memory at most`, unit: 'MiB', ours: imported.peakMb, goal: atMost(250) })
}

/** A case of 5 lines and 10 medications, with its statements, in an empty database. */
async function measureCase({ add }: Table, url: string): Promise<void> {
  const work = 'screening of a case'
  if (!isWanted(work)) return
  const db = openTestDatabase(url)
  await fillForScreening(db)
  const { cpuMs } = await measureScreening(db)
  await db.destroy()
  add({ work, unit: 'ms', ours: cpuMs, goal: atMost(2) })
}

/** @param emptyUrl of an empty database, for what needs its own */
async function measureEngine(
  engine: Engine,
  databaseUrl: string,
  emptyUrl: string | null,
): Promise<TableRow[]> {
  const printed = table()
  if (!options.database) await importDirectories(printed, engine, databaseUrl)
  const db = openTestDatabase(databaseUrl)
  const measures = await makeMeasures(db)
  await db.destroy()
  await measureStart(printed, databaseUrl)
  if (!options.database) await withContext(databaseUrl, (ctx) => seedOrders(ctx, seededOrders))
  const shop = await startShop(databaseUrl, {
    demoCatalog: false,
    env: { RATE_LIMITS: 'off', OVERLOAD_DELAY_MS: '0' },
  })
  const raw = await startRawServer(databaseUrl)
  try {
    await sleep(2000)
    const { add } = printed
    if (isWanted('memory')) {
      add({ work: 'memory, idle', unit: 'MiB', ours: readMemoryMb(shop.pid), goal: atMost(100) })
    }
    for (const measure of measures) await measureOverHttp(printed, shop, raw, measure)
    if (isWanted('memory')) {
      add({ work: 'memory, after reads', unit: 'MiB', ours: readMemoryMb(shop.pid), goal: atMost(200) })
      add({
        work: 'memory, peak while reading',
        unit: 'MiB',
        ours: readPeakMemoryMb(shop.pid),
        goal: atMost(300),
      })
    }
    const admin = await newAdmin(shop.origin)
    const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const measure of adminMeasures(cookie)) await measureOverHttp(printed, shop, raw, measure)
    admin.close()
    await measureCustomers(printed, shop, engine, databaseUrl)
  } finally {
    await shop.stop()
    await raw.stop()
  }
  if (emptyUrl) await measureCase(printed, emptyUrl)
  return printed.rows
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
const withMet = (rows: readonly TableRow[]) => rows.map((row) => ({ ...row, isMet: isMet(row) }))
const { add: addWeight, rows: weightRows } = table()
readPageWeights()
  .filter(({ work }) => isWanted(work))
  .forEach(addWeight)
const weights = withMet(weightRows)
const results: { engine: Engine; rows: (TableRow & { isMet: boolean | null })[] }[] = []
const keep = (engine: Engine, rows: TableRow[]): void => void results.push({ engine, rows: withMet(rows) })
if (options.database) {
  const engine = options.database.startsWith('sqlite:') ? 'sqlite' : 'postgres'
  keep(engine, await measureEngine(engine, options.database, null))
} else {
  const server = await findPostgres({ durable: true })
  const templates = await makeTemplates(server.url, ['empty'], { durable: true })
  try {
    for (const engine of engines) {
      if (options.engine && options.engine !== engine) continue
      const database = await freshDatabase(templates, engine)
      const empty = await freshDatabase(templates, engine)
      keep(engine, await measureEngine(engine, database.url, empty.url))
      await empty.remove()
      await database.remove()
    }
  } finally {
    await templates.remove()
    await server.stop()
  }
}
mkdirSync('tests/bench/results', { recursive: true })
const file = `tests/bench/results/${machine.date.replaceAll(':', '-')}.json`
writeFileSync(file, `${JSON.stringify({ machine, weights, results }, null, 2)}\n`)
console.log(`\n${file}`)
