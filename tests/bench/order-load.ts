import { sql } from 'kysely'
import {
  createPaymentIntent,
  newAdmin,
  pay,
  placeOrder,
  UnexpectedReplyError,
  type Buyer,
} from '#tests/support/buyer.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import { readCpuMs } from '#tests/support/process-facts.ts'
import type { RunningShop } from '#tests/support/start-shop.ts'
import { quantile } from './load.ts'

export type OrderRound = { perSecond: number; p50Ms: number; p99Ms: number; cpuMs: number }

/** Runs `work` for all `items` concurrently and repeatedly for `ms`. Returns sorted latencies. */
async function repeatConcurrently<T>(
  items: readonly T[],
  ms: number,
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

/** What every buyer does at once and repeatedly, with the shop's CPU time for each time. */
export async function measureBuyers(
  shop: RunningShop,
  buyers: readonly Buyer[],
  ms: number,
  work: (buyer: Buyer, index: number) => Promise<unknown>,
): Promise<OrderRound> {
  const cpuBefore = readCpuMs(shop.pid)
  const started = performance.now()
  const latencies = await repeatConcurrently([...buyers.entries()], ms, ([i, buyer]) => work(buyer, i))
  return {
    perSecond: (1000 * latencies.length) / (performance.now() - started),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    cpuMs: (readCpuMs(shop.pid) - cpuBefore) / latencies.length,
  }
}

/** Requests a payment, pays it and places the order. */
export async function placeOneOrder(buyer: Buyer, variantId: string): Promise<void> {
  const intent = await createPaymentIntent(buyer, [{ productVariantId: variantId, quantity: 1 }])
  await pay(buyer, intent)
  await placeOrder(buyer, intent)
}

/** Puts one unit into the cart by the product page's form. */
export const addToCart = (buyer: Buyer, variantId: string): Promise<void> =>
  postToCart(buyer, { intent: 'add', variantId, quantity: '1' })

/** Removes a line from the cart by its form. */
export const removeFromCart = (buyer: Buyer, variantId: string): Promise<void> =>
  postToCart(buyer, { intent: 'remove', variantId })

async function postToCart(buyer: Buyer, form: Record<string, string>): Promise<void> {
  const reply = await buyer.send('POST', '/cart', { form })
  if (reply.status !== 303) throw new UnexpectedReplyError(reply, 'POST /cart')
}

/** Bare commits of one row per second, by so many clients. */
export async function measureCommits(url: string, clients: number, ms: number): Promise<number> {
  const db = openTestDatabase(url)
  try {
    await sql`create table if not exists bare_commits (id integer not null)`.execute(db)
    const started = performance.now()
    const done = await repeatConcurrently(
      Array.from({ length: clients }, (_, i) => i),
      ms,
      (i) => db.transaction().execute((tx) => sql`insert into bare_commits values (${i})`.execute(tx)),
    )
    return (1000 * done.length) / (performance.now() - started)
  } finally {
    await db.destroy()
  }
}

/** Adds stock to `count` variants that need no prescription. Returns their ids. */
export async function stockUp(shop: RunningShop, url: string, count: number): Promise<string[]> {
  const db = openTestDatabase(url)
  const rows = await db
    .selectFrom('productVariants')
    .innerJoin('products', 'products.id', 'productVariants.productId')
    .select('productVariants.id')
    .where('products.category', '=', 'OTC')
    .where('productVariants.deletedAt', 'is', null)
    .where('productVariants.priceCents', '>', 0)
    .orderBy('productVariants.id')
    .limit(count)
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
