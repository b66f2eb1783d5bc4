import { engines, freshDatabase, makeTemplates, openTestDatabase } from '#tests/support/databases.ts'
import { findPostgres } from '#tests/support/postgres.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generateLargeDirectory } from './generate-large-directory.ts'
import { importCatalog } from './import-catalog.ts'
import { writeOrders } from './write-orders.ts'
import { measureScale, type Figure } from './scale-measures.ts'

/**
 * `npm run bench:scale -- [--sizes 100000,1000000] [--engine sqlite|postgres] [--rounds N]
 * [--databases URL,URL]`: what costs more in a larger shop. For each size it imports a generated
 * directory of as many variants, writes as many orders, and measures what customers and staff
 * request. The table shows both sizes, their ratio and its goal. `--databases` names databases that
 * are filled already, smallest first.
 */
const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '100000,1000000' },
    engine: { type: 'string' },
    rounds: { type: 'string', default: '30' },
    databases: { type: 'string' },
  },
})
const rounds = Number(options.rounds)

async function fill(url: string, size: number, folder: string): Promise<void> {
  const directory = await generateLargeDirectory(join(folder, String(size)), size)
  const imported = await importCatalog(directory, url)
  const { seconds, peakMb, lastLine } = imported
  console.log(
    `  import ${seconds.toFixed(0)} s, ${peakMb.toFixed(0)} MiB at most: ${lastLine.replace(/ file=.*/, '')}`,
  )
  const started = performance.now()
  await writeOrders(url, size)
  console.log(`  ${size} orders written in ${((performance.now() - started) / 1000).toFixed(0)} s`)
}

async function measure(url: string): Promise<Figure[]> {
  const shop = await startShop(url, { env: { RATE_LIMITS: 'off' }, demoCatalog: false })
  const db = openTestDatabase(url)
  try {
    return await measureScale(shop, { db, url, rounds })
  } finally {
    await db.destroy()
    await shop.stop()
  }
}

const columns = ['p50 ms', 'CPU ms', 'p50 ms', 'CPU ms', 'p50 ×', 'CPU ×', 'goal', 'met?'] as const

function print(small: readonly Figure[], large: readonly Figure[]): void {
  console.log('work'.padEnd(42) + columns.map((column) => column.padStart(9)).join(''))
  for (const [i, one] of small.entries()) {
    const other = large[i]
    if (!other) continue
    const [p50, cpu] = [other.p50Ms / one.p50Ms, other.cpuMs / one.cpuMs]
    const cells = [one.p50Ms, one.cpuMs, other.p50Ms, other.cpuMs, p50, cpu].map((figure) =>
      figure.toFixed(2),
    )
    const met = p50 <= one.atMost ? 'yes' : cpu <= one.atMost ? 'by CPU' : 'no'
    console.log(
      one.work.padEnd(42) + [...cells, `≤ ${one.atMost}`, met].map((cell) => cell.padStart(9)).join(''),
    )
  }
}

async function measureFilled(urls: readonly string[]): Promise<void> {
  const [small, large] = urls
  if (!small || !large) throw new Error('--databases needs two URLs, separated by a comma.')
  print(await measure(small), await measure(large))
}

async function measureFresh(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-scale-'))
  const server = await findPostgres({ durable: true })
  const templates = await makeTemplates(server.url, ['empty'], { durable: true })
  try {
    for (const engine of engines) {
      if (options.engine && options.engine !== engine) continue
      const figures: Figure[][] = []
      for (const size of options.sizes.split(',').map(Number)) {
        console.log(`${engine}, ${size} variants and orders`)
        const database = await freshDatabase(templates, engine)
        try {
          await fill(database.url, size, folder)
          figures.push(await measure(database.url))
        } finally {
          await database.remove()
        }
      }
      print(figures[0] ?? [], figures[1] ?? [])
    }
  } finally {
    await templates.remove()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

await (options.databases ? measureFilled(options.databases.split(',')) : measureFresh())
