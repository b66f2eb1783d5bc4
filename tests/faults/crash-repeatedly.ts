import { newAdmin, newBuyer, newPharmacist, sameSession } from '#tests/support/buyer.ts'
import { freePort } from '#tests/support/free-port.ts'
import { readWaitMs } from '#tests/support/process-facts.ts'
import type { RunningShop } from '#tests/support/start-shop.ts'
import type { StripeServer } from '#tests/mocks/stripe/server.ts'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyShop, runVerifiers } from './verify-shop.ts'
import { keepAdjusting, keepBuying, withRetries } from './customers.ts'
import { keepDeciding } from './pharmacists.ts'
import { newJournal, type Journal, type Outcome } from './journal.ts'
import { decisions, fillPrescriptions } from './patients.ts'
import { addTestMedicines } from './prescribed.ts'
import { addTestProduct, type Site } from './site.ts'
import { openStripe } from './stripe-provider.ts'

/** How many of the customers have prescriptions. */
const patients = 4
const pharmacists = 2
const [minUptimeMs, maxUptimeMs] = [20, 1200]
/** Some variants always have stock, some often sell out. */
const stocks = [100_000, 100_000, 100_000, 40, 15, 3]
/** Medicines for each trial: a patient orders the last refill of each once. */
const medicinesPerTrial = 1.5
const minMedicines = 8
/** What a fault needs to break the shop and to start it again. */
export type CrashRun = {
  journal: Journal
  stripe: StripeServer
  /** Starts the shop at the same address. */
  restart: () => Promise<RunningShop>
}

export type CrashLimits = { customers?: number; readyLimitMs?: number; settleLimitMs?: number }

/**
 * Breaks the shop at random moments while customers buy, pharmacists clear and refuse what needs a
 * prescription, orders are cancelled and an admin adjusts the stock. Stripe's webhooks come three
 * times in any order, for one payment in five none.
 * @param crash breaks something and returns the shop when it is ready again, at the same address
 */
export async function crashRepeatedly(
  site: Site,
  times: number,
  crash: (shop: RunningShop, run: CrashRun) => Promise<RunningShop>,
  { customers = 8, readyLimitMs = 3000, settleLimitMs }: CrashLimits = {},
): Promise<Outcome> {
  const journal = newJournal()
  const provider = await openStripe({ undeliveredOneIn: 5 })
  const { stripe, confirm, readPayments } = provider
  const port = await freePort()
  const restart = async (env?: Record<string, string>): Promise<RunningShop> => {
    const started = await site.start({ port, env: { ...provider.env, ...env } })
    // A busy machine is no finding.
    return { ...started, readyMs: started.readyMs - readWaitMs(started.pid) }
  }
  // What is prepared must not expire, however slow the machine is.
  let shop = await restart({ CHECKOUT_HOLD_SECONDS: '900', RECONCILE_SECONDS: '30' })
  const { origin } = shop
  provider.connect(origin)
  const variants = await addTestProduct(origin, stocks)
  const medicines = await addTestMedicines(
    origin,
    minMedicines + Math.ceil(times * medicinesPerTrial),
    decisions,
  )
  const buyers = await Promise.all(
    Array.from({ length: customers }, (_, i) => newBuyer(origin, `crash-${Date.now()}-${i}`)),
  )
  const admin = await newAdmin(origin)
  const staff = await Promise.all(Array.from({ length: pharmacists }, () => newPharmacist(origin)))
  const [pharmacist = admin] = staff
  await fillPrescriptions(site, buyers.slice(0, patients), { medicines, pharmacist, confirm })
  await shop.stop()
  shop = await restart()

  const cancelling = buyers.map(() => sameSession(admin, origin))
  const [stopping, closing] = [new AbortController(), new AbortController()]
  const buying = Promise.all([
    ...buyers.map((buyer, i) =>
      keepBuying(
        withRetries(buyer, journal, stopping.signal),
        withRetries(cancelling[i] ?? admin, journal, stopping.signal),
        { variants, medicines: i < patients ? [...medicines] : [], confirm },
        journal,
        stopping.signal,
      ),
    ),
    keepAdjusting(admin, variants, journal, stopping.signal),
  ])
  // They also decide on what is ordered last, while the shop is verified.
  const deciding = Promise.all(
    staff.map((pharmacist) =>
      keepDeciding(withRetries(pharmacist, journal, closing.signal), medicines, journal, closing.signal),
    ),
  )
  let slowestReadyMs = 0
  const breakIt = async (): Promise<void> => {
    let downMs = 0
    for (let trial = 0; trial < times && !stopping.signal.aborted; trial++) {
      // On a slow machine longer: some requests must succeed between crashes.
      await sleep(randomInt(minUptimeMs, Math.max(maxUptimeMs, Math.ceil(downMs))))
      const began = performance.now()
      shop = await crash(shop, { journal, stripe, restart })
      downMs = performance.now() - began
      slowestReadyMs = Math.max(slowestReadyMs, Math.round(shop.readyMs))
      if (shop.readyMs > readyLimitMs) journal.findings.push(`ready only after ${shop.readyMs.toFixed(0)} ms`)
    }
    await sleep(maxUptimeMs)
  }
  const findings: string[] = []
  const breakAndVerify = async (): Promise<void> => {
    await breakIt()
    stopping.abort()
    await buying
    if (closing.signal.aborted) return
    findings.push(
      ...(await verifyShop({ origin, journal, variants, medicines, readPayments }, settleLimitMs)),
    )
    closing.abort()
  }
  await endAll([breakAndVerify(), buying, deciding], () => {
    stopping.abort()
    closing.abort()
  })
  findings.push(...(await runVerifiers(site.url)))
  for (const client of [...buyers, ...cancelling, ...staff, admin]) client.close()
  await shop.stop()
  await stripe.close()
  return {
    trials: times,
    findings,
    facts: {
      orders: journal.orders.size,
      cancelled: journal.cancelled.size,
      shipped: journal.shipped.size,
      cleared: journal.cleared.size,
      refused: journal.refused.size,
      ...provider.countPayments(),
      adjusted: journal.adjusted.size,
      rejected: [...journal.rejected.values()].reduce((sum, count) => sum + count, 0),
      unanswered: journal.unanswered,
      slowestReadyMs,
    },
  }
}

/** Waits until all tasks have ended, then throws the first failure. A failure calls `stop`. */
async function endAll(tasks: readonly Promise<unknown>[], stop: () => void): Promise<void> {
  const failures: unknown[] = []
  const endOf = (task: Promise<unknown>): Promise<unknown> =>
    task.catch((error: unknown) => {
      failures.push(error)
      stop()
    })
  await Promise.all(tasks.map(endOf))
  if (failures.length > 0) throw failures[0]
}
