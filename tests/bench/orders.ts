import { newBuyer, type Buyer } from '#tests/support/buyer.ts'
import { engines, freshDatabase, makeTemplates } from '#tests/support/databases.ts'
import { findPostgres } from '#tests/support/postgres.ts'
import { startShop, type RunningShop } from '#tests/support/start-shop.ts'
import { measureBuyers, measureCommits, placeOneOrder, stockUp, type OrderRound } from './order-load.ts'
import { readCpuMs, readMemoryMb } from '#tests/support/process-facts.ts'
import { readArguments } from '#tests/support/read-arguments.ts'

/**
 * `npm run bench:orders`: orders per second through the API with demo payments, fully durable. Each
 * order requests a payment, pays it and places the order; `--clients` signed-in customers do so at
 * once. The same rounds also count bare commits of one row on the same database.
 */
const usage =
  'npm run bench:orders -- [--engine sqlite|postgres] [--seconds N] [--rounds N] [--clients N] [--by tcp|socket] [--profile DIR]'
const { values: options } = readArguments(usage, {
  options: {
    engine: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    clients: { type: 'string', default: '8' },
    /** How to connect to Postgres; its Unix socket works only on the same machine. */
    by: { type: 'string', default: 'socket' },
    /** The folder for the shop's CPU profile. */
    profile: { type: 'string' },
  },
})
const ms = Number(options.seconds) * 1000
const rounds = Number(options.rounds)
const clients = Number(options.clients)

/** The best peer, Vendure on SQLite: orders through the API, 8 at once, on two processors. */
const peer = { perSecond: 19.5, cpuMs: 48 }
const goal = 20 * peer.perSecond

const warmCpuMs = 30_000

const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0

const measureOrders = (
  shop: RunningShop,
  buyers: readonly Buyer[],
  variants: readonly string[],
): Promise<OrderRound> =>
  measureBuyers(shop, buyers, ms, (buyer, i) => placeOneOrder(buyer, variants[i % variants.length] ?? ''))

function print(name: string, ordered: readonly OrderRound[], commits: number): void {
  const of = (figure: (round: OrderRound) => number): number => median(ordered.map(figure))
  const perSecond = of((round) => round.perSecond)
  console.log(
    `${name.padEnd(34)}${perSecond.toFixed(0).padStart(6)} orders/s   p50 ${of((round) => round.p50Ms).toFixed(1)} ms   ` +
      `p99 ${of((round) => round.p99Ms).toFixed(1)} ms   CPU ${of((round) => round.cpuMs).toFixed(2)} ms per order   ` +
      `${(perSecond / peer.perSecond).toFixed(1)} × the best peer   bare commits ${commits.toFixed(0)}/s`,
  )
}

console.log(
  `${clients} at once; goal ${goal} orders/s; best peer ${peer.perSecond} orders/s at ${peer.cpuMs} CPU ms per order`,
)
const by = options.by === 'tcp' ? 'tcp' : 'socket'
const server = await findPostgres({ durable: true, by })
const templates = await makeTemplates(server.url, ['demo'], { durable: true })
try {
  for (const engine of engines) {
    if (options.engine && options.engine !== engine) continue
    const database = await freshDatabase(templates, engine, 'demo')
    const shop = await startShop(database.url, {
      env: { RATE_LIMITS: 'off' },
      ...(options.profile && { node: ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] }),
    })
    try {
      const variants = await stockUp(shop, database.url, clients)
      const buyers = await Promise.all(
        Array.from({ length: clients }, (_, i) => newBuyer(shop.origin, `bench-${i}`)),
      )
      // An order costs a new process twice as much until its code is compiled.
      while (readCpuMs(shop.pid) < warmCpuMs) await measureOrders(shop, buyers, variants)
      const differentItems: OrderRound[] = []
      const sameItem: OrderRound[] = []
      const commits: number[] = []
      for (let round = 0; round < rounds; round++) {
        differentItems.push(await measureOrders(shop, buyers, variants))
        sameItem.push(await measureOrders(shop, buyers, variants.slice(0, 1)))
        commits.push(await measureCommits(database.url, clients, ms))
      }
      const name = engine === 'postgres' && server.source !== 'environment' ? `${engine} by ${by}` : engine
      print(`${name}, different items`, differentItems, median(commits))
      print(`${name}, the same item`, sameItem, median(commits))
      console.log(`${engine}: memory afterwards ${readMemoryMb(shop.pid).toFixed(0)} MiB`)
      for (const buyer of buyers) buyer.close()
    } finally {
      await shop.stop()
      await database.remove()
    }
  }
} finally {
  await templates.remove()
  await server.stop()
}
