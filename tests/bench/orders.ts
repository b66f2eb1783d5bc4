import { sql } from 'kysely'
import {
  createPaymentIntent,
  newAdmin,
  newBuyer,
  pay,
  placeOrder,
  UnexpectedReplyError,
  type Buyer,
} from '#tests/support/buyer.ts'
import { engines, freshDatabase, makeTemplates, openTestDatabase } from '#tests/support/databases.ts'
import { findPostgres } from '#tests/support/postgres.ts'
import { startShop, type RunningShop } from '#tests/support/start-shop.ts'
import { parseArgs } from 'node:util'
import { quantile } from './load.ts'
import { readCpuMs, readMemoryMb } from '#tests/support/process-facts.ts'

/**
 * `npm run bench:orders -- [--engine sqlite|postgres] [--seconds N] [--rounds N] [--clients N]
 * [--by tcp|socket] [--profile DIR]`: orders per second through the API with demo payments, fully
 * durable. Each order requests a payment, pays it and places the order; `--clients` signed-in
 * customers do so at once. The same rounds also count bare commits of one row on the same database.
 */
const { values: options } = parseArgs({
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

type Round = { perSecond: number; p50Ms: number; p99Ms: number; cpuMs: number }

const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0

/** Runs `work` for all `items` concurrently and repeatedly until the time is up. */
async function repeatConcurrently<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<number[]> {
  const latencies: number[] = []
  const until = performance.now() + ms
  await Promise.all(
    items.map(async (item) => {
      while (performance.now() < until) {
        const started = performance.now()
        await work(item)
        latencies.push(performance.now() - started)
      }
    }),
  )
  return latencies.toSorted((a, b) => a - b)
}

async function order(buyer: Buyer, variantId: string): Promise<void> {
  const intent = await createPaymentIntent(buyer, [{ productVariantId: variantId, quantity: 1 }])
  await pay(buyer, intent)
  await placeOrder(buyer, intent)
}

async function measureOrders(
  shop: RunningShop,
  buyers: readonly Buyer[],
  variants: readonly string[],
): Promise<Round> {
  const cpuBefore = readCpuMs(shop.pid)
  const started = performance.now()
  const latencies = await repeatConcurrently([...buyers.entries()], ([i, buyer]) =>
    order(buyer, variants[i % variants.length] ?? ''),
  )
  return {
    perSecond: (1000 * latencies.length) / (performance.now() - started),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    cpuMs: (readCpuMs(shop.pid) - cpuBefore) / latencies.length,
  }
}

/** Bare commits per second, with the same number of clients. */
async function measureCommits(url: string): Promise<number> {
  const db = openTestDatabase(url)
  try {
    await sql`create table if not exists bare_commits (id integer not null)`.execute(db)
    const started = performance.now()
    const done = await repeatConcurrently(
      Array.from({ length: clients }, (_, i) => i),
      (i) => db.transaction().execute((tx) => sql`insert into bare_commits values (${i})`.execute(tx)),
    )
    return (1000 * done.length) / (performance.now() - started)
  } finally {
    await db.destroy()
  }
}

/** Adds stock to some variants that need no prescription, one per client. Returns their ids. */
async function stockUp(shop: RunningShop, url: string): Promise<string[]> {
  const db = openTestDatabase(url)
  const rows = await db
    .selectFrom('productVariants')
    .innerJoin('products', 'products.id', 'productVariants.productId')
    .select('productVariants.id')
    .where('products.category', '=', 'OTC')
    .where('productVariants.deletedAt', 'is', null)
    .where('productVariants.priceCents', '>', 0)
    .orderBy('productVariants.id')
    .limit(clients)
    .execute()
  await db.destroy()
  const admin = await newAdmin(shop.origin)
  for (const { id } of rows) {
    const json = { variantId: id, quantityChange: 1_000_000, transactionType: 'purchase' }
    const reply = await admin.send('POST', '/api/inventory/adjust', { json })
    if (reply.status !== 200) throw new UnexpectedReplyError(reply, 'inventory/adjust')
  }
  admin.close()
  return rows.map(({ id }) => id)
}

function print(name: string, ordered: readonly Round[], commits: number): void {
  const of = (figure: (round: Round) => number): number => median(ordered.map(figure))
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
      const variants = await stockUp(shop, database.url)
      const buyers = await Promise.all(
        Array.from({ length: clients }, (_, i) => newBuyer(shop.origin, `bench-${i}`)),
      )
      // An order costs a new process twice as much until its code is compiled.
      while (readCpuMs(shop.pid) < warmCpuMs) await measureOrders(shop, buyers, variants)
      const differentItems: Round[] = []
      const sameItem: Round[] = []
      const commits: number[] = []
      for (let round = 0; round < rounds; round++) {
        differentItems.push(await measureOrders(shop, buyers, variants))
        sameItem.push(await measureOrders(shop, buyers, variants.slice(0, 1)))
        commits.push(await measureCommits(database.url))
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
