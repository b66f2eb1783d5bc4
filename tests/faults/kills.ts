import { newAdmin, newBuyer } from '#tests/support/buyer.ts'
import { freePort } from '#tests/support/free-port.ts'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkBooks, runVerifier } from './check-books.ts'
import { keepAdjusting, keepBuying, stubborn } from './customers.ts'
import { newJournal, type Fault } from './journal.ts'
import { readDemoBooks } from './provider-books.ts'
import { stockShelf } from './site.ts'

const customers = 8
const readyLimitMs = 3000
/** Some always there, some often sold out. */
const stocks = [100_000, 100_000, 100_000, 40, 15, 3]

/** Kills the shop at random moments while customers buy, cancel and an admin counts; it comes back at the same address. */
export const kills: Fault = async (site, times) => {
  const journal = newJournal()
  const port = await freePort()
  let shop = await site.start({ port })
  const { origin } = shop
  const variants = await stockShelf(origin, stocks)
  const buyers = await Promise.all(
    Array.from({ length: customers }, (_, i) => newBuyer(origin, `kills-${Date.now()}-${i}`)),
  )
  const admins = await Promise.all(Array.from({ length: customers + 1 }, () => newAdmin(origin)))
  const over = new AbortController()
  const [counting, ...cancelling] = admins
  if (!counting) throw new Error('There is no admin.')
  const work = Promise.all([
    ...buyers.map((buyer, i) =>
      keepBuying(
        stubborn(buyer, journal),
        stubborn(cancelling[i] ?? counting, journal),
        variants,
        journal,
        over.signal,
      ),
    ),
    keepAdjusting(counting, variants, journal, over.signal),
  ])
  let slowestMs = 0
  try {
    for (let trial = 0; trial < times; trial++) {
      await sleep(randomInt(20, 600))
      await shop.kill()
      shop = await site.start({ port })
      slowestMs = Math.max(slowestMs, shop.readyMs)
      if (shop.readyMs > readyLimitMs) journal.findings.push(`ready only after ${shop.readyMs.toFixed(0)} ms`)
    }
    await sleep(200)
  } finally {
    over.abort()
    await work
  }
  const readPayments = () => readDemoBooks(site.url)
  const findings = await checkBooks({ origin, journal, variants, readPayments })
  findings.push(...(await runVerifier('audit-verify', site.url)))
  for (const client of [...buyers, ...admins]) client.close()
  return {
    trials: times,
    findings,
    facts: {
      orders: journal.orders.size,
      cancelled: journal.cancelled.size,
      unanswered: journal.unanswered,
      slowestReadyMs: Math.round(slowestMs),
    },
  }
}
