import { getEngine, type Db } from '#db/engine/client.ts'
import { newAdmin, newBuyer, UnexpectedReplyError } from '#tests/support/buyer.ts'
import type { PlainClient } from '#tests/support/http-client.ts'
import { listProcessTree, readCpuMs, readStat, unlessExited } from '#tests/support/process-facts.ts'
import type { RunningShop } from '#tests/support/start-shop.ts'
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from './load.ts'
import { makeMeasures } from './measures.ts'
import { addToCart, placeOneOrder, stockUp } from './order-load.ts'

/** A figure at one size: the middle of the times at the client, and CPU time per request. */
export type Figure = { p50Ms: number; cpuMs: number }

type Work = {
  work: string
  /** What a size may cost at most beside a tenth of it. */
  atMost: number
  run: (i: number) => Promise<unknown>
}

/** What can be measured in a running shop. */
export type Scale = {
  works: readonly Work[]
  /** Runs it a few times to warm up, and then `rounds` times, one request after the other. */
  measure: (work: string, rounds: number) => Promise<Figure>
  close: () => void
}

/** Until the code of a kind of work is compiled. */
const warmUps = 20

const goals = { search: 3, same: 1.2 }

/** Prepares what can be measured in a shop, and waits until its start is over. */
export async function openScale(shop: RunningShop, { db, url }: { db: Db; url: string }): Promise<Scale> {
  const admin = await newAdmin(shop.origin)
  const server = await findServer(db)
  const works = await listWork(shop, { db, url, admin })
  await waitUntilIdle(shop)
  return {
    works,
    measure: async (name, rounds) => {
      const work = works.find((one) => one.work === name)
      if (!work) throw new Error(`There is no work named ${name}.`)
      return measureWork(work, rounds, () => readCpu(shop, server))
    },
    close: () => admin.close(),
  }
}

async function measureWork({ run }: Work, rounds: number, readCpuMs: () => number): Promise<Figure> {
  for (let i = 0; i < warmUps; i++) await run(i)
  const times: number[] = []
  const before = readCpuMs()
  for (let i = 0; i < rounds; i++) {
    const started = performance.now()
    await run(i + warmUps)
    times.push(performance.now() - started)
  }
  const sorted = times.toSorted((a, b) => a - b)
  return { p50Ms: quantile(sorted, 0.5), cpuMs: (readCpuMs() - before) / rounds }
}

/** The processes whose CPU time counts: the shop's, and those of its Postgres on this machine. */
async function findServer(db: Db): Promise<number | null> {
  if (getEngine(db) === 'sqlite') return null
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return Number(readStat(`/proc/${rows[0]?.pid ?? 0}/stat`)[1])
}

const readCpu = ({ pid }: RunningShop, server: number | null): number =>
  [pid, ...(server === null ? [] : listProcessTree(server))].reduce(
    (sum, one) => sum + unlessExited(() => readCpuMs(one), 0),
    0,
  )

/** Waits until the jobs of the start are done: they read more in a larger shop. */
async function waitUntilIdle({ pid }: RunningShop): Promise<void> {
  for (let quiet = 0; quiet < 3;) {
    const before = readCpuMs(pid)
    await sleep(1000)
    quiet = readCpuMs(pid) - before < 60 ? quiet + 1 : 0
  }
}

type Parts = { db: Db; url: string; admin: PlainClient }

async function listWork(shop: RunningShop, { db, url, admin }: Parts): Promise<Work[]> {
  const get =
    (paths: readonly string[]) =>
    async (i: number): Promise<void> => {
      const path = paths[i % paths.length] ?? '/'
      const reply = await admin.send('GET', path)
      if (reply.status !== 200) throw new UnexpectedReplyError(reply, path)
    }
  const call = (path: string, input: object) => async (): Promise<void> => {
    const reply = await admin.send('POST', `/trpc/${path}`, { json: input })
    if (reply.status !== 200) throw new UnexpectedReplyError(reply, path)
  }
  const measures = await makeMeasures(db)
  const json = measures.filter(({ work }) => work.endsWith('JSON') || work.startsWith('the deepest'))
  const words = json.find(({ work }) => work.startsWith('search, 4-letter'))?.paths ?? []
  const texts = words.map((path) => path.split('q=')[1] ?? '')
  const [sold = ''] = await stockUp(shop, url, 1)
  const buyer = await newBuyer(shop.origin, `scale-${Date.now()}`)
  const same = (work: string, run: Work['run']): Work => ({ work, atMost: goals.same, run })
  return [
    ...json.map(({ work, paths }) => ({
      work,
      atMost: work.startsWith('search') ? goals.search : goals.same,
      run: get(paths),
    })),
    // A larger shop has more variants of each product, and so larger replies.
    ...json
      .filter(({ work }) => work.startsWith('search'))
      .map(({ work, paths }) => ({
        work: `${work} without variants`,
        atMost: goals.search,
        run: get(paths.map((path) => path.replace('&include=variants', ''))),
      })),
    { work: 'suggestions', atMost: goals.search, run: get(texts.map((q) => `/search/suggestions?q=${q}`)) },
    { work: 'search page with facets', atMost: goals.search, run: get(texts.map((q) => `/products?q=${q}`)) },
    same('category page with facets', get(['/products?category=OTC', '/products?category=Rx&form=tablet'])),
    same('admin orders, first page', call('orders.list', {})),
    same('admin orders, by status', call('orders.list', { status: 'processing' })),
    same('admin orders, last page', call('orders.list', { last: '1' })),
    same('admin orders, by total', call('orders.list', { sort: 'total' })),
    same('admin orders, of a customer', call('orders.list', { q: 'belabocine' })),
    same('admin variants, first page', call('variants.list', {})),
    same('admin variants, last page', call('variants.list', { last: '1' })),
    { work: 'admin variants, search', atMost: goals.search, run: call('variants.list', { q: 'dorabo 30' }) },
    same('admin stock, first page', call('inventory.stock', {})),
    same('admin ledger, first page', call('inventory.history', {})),
    same('admin products, first page', call('products.list', {})),
    same('admin users, first page', call('users.list', {})),
    same('dashboard', get(['/admin'])),
    same('variants.csv, first byte', (i) => firstByte(shop, admin, `/admin/variants.csv?${i}`)),
    same('orders.csv, first byte', (i) => firstByte(shop, admin, `/admin/orders.csv?${i}`)),
    same(
      'adjust stock',
      call('inventory.adjust', { variantId: sold, quantityChange: 1, transactionType: 'purchase' }),
    ),
    same('add to cart', () => addToCart(buyer, sold)),
    same('an order: intent, payment, order', () => placeOneOrder(buyer, sold)),
  ]
}

/** Requests an export and ends the connection after the first bytes. */
async function firstByte(shop: RunningShop, admin: PlainClient, path: string): Promise<void> {
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const stop = new AbortController()
  const reply = await fetch(shop.origin + path, { headers: { cookie }, signal: stop.signal })
  if (reply.status !== 200) throw new Error(`${path} returned ${reply.status}.`)
  await reply.body?.getReader().read()
  stop.abort()
}
