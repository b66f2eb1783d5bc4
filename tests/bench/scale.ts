import { readArguments } from '#tests/support/read-arguments.ts'
import { engines, openTestDatabase } from '#tests/support/databases.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { measureOrderSums } from './order-sum-cost.ts'
import { keepDatabases, openTemporaryDatabases } from './scale-databases.ts'
import { measureBytes } from './scale-bytes.ts'
import { openScale, type Figure, type Scale } from './scale-measures.ts'

/**
 * `npm run bench:scale`: what costs more in a larger shop. For each size it imports a generated
 * directory of as many variants and writes as many orders. Then it measures what customers and
 * staff request: each row in all sizes, one after the other, with the ratio and its goal, printed
 * at once. Last, on Postgres, come the bytes of each order, customer and variant.
 *
 * `--only` measures only the rows whose name contains one of the parts. `--keep` keeps the
 * databases in a folder, so that the next run does not fill them again. `--databases` names
 * databases that are filled already, smallest first.
 */
const usage =
  'npm run bench:scale -- [--sizes 100000,1000000] [--engine sqlite|postgres] [--only PART,PART] [--rounds N] [--keep FOLDER] [--databases URL,URL]'
const { values: options } = readArguments(usage, {
  options: {
    sizes: { type: 'string', default: '100000,1000000' },
    engine: { type: 'string' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '30' },
    keep: { type: 'string' },
    databases: { type: 'string' },
  },
})
const rounds = Number(options.rounds)
const parts = options.only.split(',').map((part) => part.trim())
const isMeasured = (work: string): boolean => parts.some((part) => work.includes(part))

const cellsOf = ({ p50Ms, cpuMs }: Figure): string[] => [p50Ms.toFixed(2), cpuMs.toFixed(2)]
const toLine = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(9)).join('')

function printHeader(sizes: number): void {
  const ofSize = ['p50 ms', 'CPU ms']
  const compared = sizes > 1 ? ['p50 ×', 'CPU ×', 'goal', 'met?'] : []
  console.log(
    'work'.padEnd(42) + toLine([...Array.from({ length: sizes }, () => ofSize).flat(), ...compared]),
  )
}

/** Compares the last size with the first. */
function print(work: string, figures: readonly Figure[], atMost: number): void {
  const [small, large] = [figures[0], figures.at(-1)]
  if (!small || !large) return
  const [p50, cpu] = [large.p50Ms / small.p50Ms, large.cpuMs / small.cpuMs]
  const met = p50 <= atMost ? 'yes' : cpu <= atMost ? 'by CPU' : 'no'
  const compared = figures.length > 1 ? [p50.toFixed(2), cpu.toFixed(2), `≤ ${atMost}`, met] : []
  console.log(work.padEnd(42) + toLine([...figures.flatMap(cellsOf), ...compared]))
}

/** All jobs run once in it. */
const firstMs = 20_000

/**
 * The longest time that a health check took in the first seconds of a shop, in milliseconds. On
 * SQLite, nothing else runs while a statement does.
 */
async function findLongestWait(origin: string): Promise<number> {
  const until = performance.now() + firstMs
  let longest = 0
  while (performance.now() < until) {
    const sent = performance.now()
    await fetch(`${origin}/healthz`)
    longest = Math.max(longest, performance.now() - sent)
    await sleep(5)
  }
  return longest
}

/** Measures each kind of work in every shop in turn, so that other load is alike for all sizes. */
async function measure(urls: readonly string[]): Promise<void> {
  const ends: (() => Promise<unknown>)[] = []
  const scales: Scale[] = []
  const starts: string[] = []
  const waits: string[] = []
  try {
    for (const url of urls) {
      const shop = await startShop(url, { env: { RATE_LIMITS: 'off' }, demoCatalog: false })
      ends.push(() => shop.stop())
      starts.push((shop.readyMs / 1000).toFixed(1))
      if (isMeasured('start')) waits.push((await findLongestWait(shop.origin)).toFixed(0))
      const db = openTestDatabase(url)
      ends.push(() => db.destroy())
      const scale = await openScale(shop, { db, url })
      ends.push(async () => scale.close())
      scales.push(scale)
    }
    console.log('start until ready, s'.padEnd(42) + toLine(starts))
    if (waits.length > 0) console.log('start, longest health check, ms'.padEnd(42) + toLine(waits))
    printHeader(urls.length)
    for (const { work, atMost } of scales[0]?.works ?? []) {
      if (!isMeasured(work)) continue
      const figures: Figure[] = []
      for (const scale of scales) figures.push(await scale.measure(work, rounds))
      print(work, figures, atMost)
    }
  } finally {
    for (const end of ends.toReversed()) await end()
  }
  for (const url of isMeasured('bytes') ? urls : []) await measureBytes(url)
  for (const url of isMeasured('sums by day') ? urls : []) await measureOrderSums(url)
}

if (options.databases) await measure(options.databases.split(','))
else {
  const databases = options.keep ? keepDatabases(options.keep) : await openTemporaryDatabases()
  try {
    for (const engine of engines) {
      if (options.engine && options.engine !== engine) continue
      const urls: string[] = []
      for (const size of options.sizes.split(',').map(Number)) {
        console.log(`${engine}, ${size} variants and orders`)
        urls.push(await databases.open(engine, size))
      }
      await measure(urls)
    }
  } finally {
    await databases.close()
  }
}
