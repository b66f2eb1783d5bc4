import {
  createPaymentIntent,
  newAdmin,
  newBuyer,
  newPharmacist,
  placeOrder,
  sameSession,
  type Buyer,
} from '#tests/support/buyer.ts'
import type { PlainClient } from '#tests/support/http-client.ts'
import { freePort } from '#tests/support/free-port.ts'
import { readWaitMs } from '#tests/support/process-facts.ts'
import type { RunningShop } from '#tests/support/start-shop.ts'
import type { StripeServer } from '#tests/mocks/stripe/server.ts'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyShop, runVerifiers } from './verify-shop.ts'
import { keepAdjusting, keepBuying, withRetries } from './customers.ts'
import { dispense, keepDeciding } from './pharmacists.ts'
import { newJournal, type Journal, type Outcome } from './journal.ts'
import {
  addTestMedicines,
  openRefills,
  openShopContext,
  prescribe,
  readUserId,
  type Decision,
  type TestMedicine,
} from './prescribed.ts'
import { addTestProduct, type Site } from './site.ts'
import { openStripe } from './stripe-provider.ts'

const customers = 8
/** How many of the customers have prescriptions. */
const patients = 4
const pharmacists = 2
const [minUptimeMs, maxUptimeMs] = [20, 1200]
/** Some variants always have stock, some often sell out. */
const stocks = [100_000, 100_000, 100_000, 40, 15, 3]
const decisions: readonly Decision[] = [
  'clear',
  'clear',
  'refuse',
  'clear',
  'clear',
  'refuse',
  'clear',
  'ask',
]
/** Medicines for each trial: a patient orders the last refill of each once. */
const medicinesPerTrial = 1.5
/** How many of a patient's medicines were dispensed before, so that the next fill is a refill. */
const refills = 4

/** What a fault needs to break the shop and to start it again. */
export type CrashRun = {
  journal: Journal
  stripe: StripeServer
  /** Starts the shop at the same address. */
  restart: () => Promise<RunningShop>
}

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
  { readyLimitMs = 3000 }: { readyLimitMs?: number } = {},
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
    Math.ceil(times * medicinesPerTrial) + decisions.length,
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
  const work = Promise.all([
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
  const reviews = Promise.all(
    staff.map((pharmacist) =>
      keepDeciding(withRetries(pharmacist, journal, closing.signal), medicines, journal, closing.signal),
    ),
  )
  let slowestReadyMs = 0
  const breakIt = async (): Promise<void> => {
    for (let trial = 0; trial < times && !stopping.signal.aborted; trial++) {
      await sleep(randomInt(minUptimeMs, maxUptimeMs))
      shop = await crash(shop, { journal, stripe, restart })
      slowestReadyMs = Math.max(slowestReadyMs, Math.round(shop.readyMs))
      if (shop.readyMs > readyLimitMs) journal.findings.push(`ready only after ${shop.readyMs.toFixed(0)} ms`)
    }
    await sleep(maxUptimeMs)
  }
  const verify = async (): Promise<string[]> => {
    // The first failure stops the other task and is the one reported.
    await Promise.all([breakIt(), work].map((part) => part.finally(() => stopping.abort())))
    return verifyShop({ origin, journal, variants, medicines, readPayments })
  }
  const [findings] = await Promise.all([
    verify().finally(() => closing.abort()),
    reviews.finally(() => stopping.abort()),
  ])
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

/**
 * Gives customers a prescription of each medicine, for two fills. Some first fills were dispensed
 * two months ago.
 */
async function fillPrescriptions(
  site: Site,
  buyers: readonly Buyer[],
  how: {
    medicines: readonly TestMedicine[]
    pharmacist: PlainClient
    confirm: (clientSecret: string) => boolean
  },
): Promise<void> {
  const { medicines, pharmacist, confirm } = how
  const first = medicines.filter(({ decision }) => decision === 'clear').slice(0, refills)
  const shop = await openShopContext(site.url)
  try {
    for (const buyer of buyers) {
      await prescribe(shop, { userId: await readUserId(buyer), medicines, refills: 1 })
      const items = first.map(({ variantIds }) => ({ productVariantId: variantIds[0], quantity: 1 }))
      const intent = await createPaymentIntent(buyer, items)
      if (!confirm(intent.clientSecret)) throw new Error('The first order was not paid.')
      await dispense(pharmacist, (await placeOrder(buyer, intent)).id)
    }
    await openRefills(shop)
  } finally {
    // Its files are on the disk whose power is cut.
    await shop.close()
  }
}
