import { newAdmin, newBuyer, sameSession } from '#tests/support/buyer.ts'
import { freePort } from '#tests/support/free-port.ts'
import type { RunningShop } from '#tests/support/start-shop.ts'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkBooks, runVerifiers } from './verify-shop.ts'
import { keepAdjusting, keepBuying, stubborn } from './customers.ts'
import { newJournal, type Journal, type Outcome } from './journal.ts'
import { readDemoBooks } from './provider-records.ts'
import { stockShelf, type Site } from './site.ts'

const customers = 8
const [shortestLifeMs, longestLifeMs] = [20, 600]
/** Some always there, some often sold out. */
const stocks = [100_000, 100_000, 100_000, 40, 15, 3]

/**
 * Crashes the shop at random moments while customers buy, have orders cancelled and an admin adjusts the stock; each time it comes back at
 * the same address.
 * @param crash breaks something and gives the shop that is there afterwards, at the same port
 */
export async function crashOften(
  site: Site,
  times: number,
  crash: (shop: RunningShop, run: { journal: Journal; port: number }) => Promise<RunningShop>,
  { readyLimitMs = 3000 }: { readyLimitMs?: number } = {},
): Promise<Outcome> {
  const journal = newJournal()
  const port = await freePort()
  let shop = await site.start({ port })
  const { origin } = shop
  const variants = await stockShelf(origin, stocks)
  const buyers = await Promise.all(
    Array.from({ length: customers }, (_, i) => newBuyer(origin, `crash-${Date.now()}-${i}`)),
  )
  const counting = await newAdmin(origin)
  const cancelling = buyers.map(() => sameSession(counting, origin))
  const over = new AbortController()
  const work = Promise.all([
    ...buyers.map((buyer, i) =>
      keepBuying(
        stubborn(buyer, journal, over.signal),
        stubborn(cancelling[i] ?? counting, journal, over.signal),
        variants,
        journal,
        over.signal,
      ),
    ),
    keepAdjusting(counting, variants, journal, over.signal),
  ])
  let slowestReadyMs = 0
  const breakIt = async (): Promise<void> => {
    for (let trial = 0; trial < times && !over.signal.aborted; trial++) {
      await sleep(randomInt(shortestLifeMs, longestLifeMs))
      shop = await crash(shop, { journal, port })
      slowestReadyMs = Math.max(slowestReadyMs, Math.round(shop.readyMs))
      if (shop.readyMs > readyLimitMs) journal.findings.push(`ready only after ${shop.readyMs.toFixed(0)} ms`)
    }
    await sleep(longestLifeMs)
  }
  // Whichever fails first ends the other, and is what is told.
  await Promise.all([breakIt(), work].map((part) => part.finally(() => over.abort())))
  const readPayments = () => readDemoBooks(site.url)
  const findings = await checkBooks({ origin, journal, variants, readPayments })
  findings.push(...(await runVerifiers(site.url)))
  for (const client of [...buyers, ...cancelling, counting]) client.close()
  await shop.stop()
  return {
    trials: times,
    findings,
    facts: {
      orders: journal.orders.size,
      cancelled: journal.cancelled.size,
      adjusted: journal.adjusted.size,
      refused: [...journal.refused.values()].reduce((sum, count) => sum + count, 0),
      unanswered: journal.unanswered,
      slowestReadyMs,
    },
  }
}
