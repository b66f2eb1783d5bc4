import { newAdmin, newBuyer, sameSession } from '#tests/support/buyer.ts'
import { freePort } from '#tests/support/free-port.ts'
import type { RunningShop } from '#tests/support/start-shop.ts'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyShop, runVerifiers } from './verify-shop.ts'
import { keepAdjusting, keepBuying, withRetries } from './customers.ts'
import { newJournal, type Journal, type Outcome } from './journal.ts'
import { readDemoPayments } from './provider-records.ts'
import { addTestProduct, type Site } from './site.ts'

const customers = 8
const [minUptimeMs, maxUptimeMs] = [20, 600]
/** Some variants always have stock, some often sell out. */
const stocks = [100_000, 100_000, 100_000, 40, 15, 3]

/**
 * Crashes the shop at random moments while customers buy, orders are cancelled and an admin adjusts
 * the stock. Each time the shop restarts at the same address.
 * @param crash breaks something and returns the restarted shop, at the same port
 */
export async function crashRepeatedly(
  site: Site,
  times: number,
  crash: (shop: RunningShop, run: { journal: Journal; port: number }) => Promise<RunningShop>,
  { readyLimitMs = 3000 }: { readyLimitMs?: number } = {},
): Promise<Outcome> {
  const journal = newJournal()
  const port = await freePort()
  let shop = await site.start({ port })
  const { origin } = shop
  const variants = await addTestProduct(origin, stocks)
  const buyers = await Promise.all(
    Array.from({ length: customers }, (_, i) => newBuyer(origin, `crash-${Date.now()}-${i}`)),
  )
  const admin = await newAdmin(origin)
  const cancelling = buyers.map(() => sameSession(admin, origin))
  const stopping = new AbortController()
  const work = Promise.all([
    ...buyers.map((buyer, i) =>
      keepBuying(
        withRetries(buyer, journal, stopping.signal),
        withRetries(cancelling[i] ?? admin, journal, stopping.signal),
        variants,
        journal,
        stopping.signal,
      ),
    ),
    keepAdjusting(admin, variants, journal, stopping.signal),
  ])
  let slowestReadyMs = 0
  const breakIt = async (): Promise<void> => {
    for (let trial = 0; trial < times && !stopping.signal.aborted; trial++) {
      await sleep(randomInt(minUptimeMs, maxUptimeMs))
      shop = await crash(shop, { journal, port })
      slowestReadyMs = Math.max(slowestReadyMs, Math.round(shop.readyMs))
      if (shop.readyMs > readyLimitMs) journal.findings.push(`ready only after ${shop.readyMs.toFixed(0)} ms`)
    }
    await sleep(maxUptimeMs)
  }
  // The first failure stops the other task and is the one reported.
  await Promise.all([breakIt(), work].map((part) => part.finally(() => stopping.abort())))
  const readPayments = () => readDemoPayments(site.url)
  const findings = await verifyShop({ origin, journal, variants, readPayments })
  findings.push(...(await runVerifiers(site.url)))
  for (const client of [...buyers, ...cancelling, admin]) client.close()
  await shop.stop()
  return {
    trials: times,
    findings,
    facts: {
      orders: journal.orders.size,
      cancelled: journal.cancelled.size,
      adjusted: journal.adjusted.size,
      refused: [...journal.rejected.values()].reduce((sum, count) => sum + count, 0),
      unanswered: journal.unanswered,
      slowestReadyMs,
    },
  }
}
