import { createPaymentIntent, newBuyer, pay, placeOrder, UnexpectedReplyError } from '#tests/support/buyer.ts'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './journal.ts'
import { addTestProduct } from './site.ts'
import { runVerifiers } from './verify-shop.ts'
import { keepVisiting, quantile, visit, type Sent } from './visitors.ts'

/** Requests at once that measure what the shop can do. */
const capacityClients = 8
const capacityMs = 2000
const overloadMs = 8000
const times = 5
/** Of the generator: browsers that wait. A request beyond it is not sent. */
const maxOpen = 400
const buyers = 4
const buyerPauseMs = 200
const probeMs = 250
const normalLimitMs = 10_000
/** The longest that an accepted request or a probe may take, on a shared machine. */
const latencyLimitMs = 3000

/** What the clients of one trial saw. */
type Seen = { browsing: Sent[]; health: Sent[]; buying: { tried: number; done: number; failures: string[] } }

/**
 * Browsers request five times what the shop can answer, on their own schedule and not on its. It
 * must refuse most of them with 503 and `Retry-After`, keep its answers fast, answer `/healthz`,
 * let customers buy, and be back to normal within ten seconds.
 */
export const overload: Fault = async (site, trials) => {
  const findings: string[] = []
  const facts = { offered: 0, accepted: 0, refused: 0, bought: 0, acceptedP95Ms: 0, healthMs: 0, normalMs: 0 }
  const shop = await site.start({ env: { OVERLOAD_DELAY_MS: '250' } })
  const [variant = ''] = await addTestProduct(shop.origin, [1_000_000])
  for (let trial = 0; trial < trials; trial++) {
    const customers = await Promise.all(
      Array.from({ length: buyers }, (_, i) => newBuyer(shop.origin, `overload-${trial}-${i}-${Date.now()}`)),
    )
    const perSecond = times * (await measureCapacity(shop.origin))
    const seen: Seen = { browsing: [], health: [], buying: { tried: 0, done: 0, failures: [] } }
    const stopping = new AbortController()
    const others = [
      keepVisiting([`${shop.origin}/healthz`], { pauseMs: probeMs, signal: stopping.signal }, (sent) =>
        seen.health.push(sent),
      ),
      ...customers.map((customer) => keepBuying(customer, variant, seen, stopping.signal)),
    ]
    await offer(shop.origin, perSecond, seen)
    stopping.abort()
    const normalMs = await waitUntilNormal(shop.origin)
    await Promise.all(others)

    const accepted = seen.browsing.filter(({ status }) => status === 200)
    const refused = seen.browsing.filter(({ status }) => status === 503)
    const p95 = quantile(accepted, 0.95)
    const slowestProbe = quantile(seen.health, 1)
    const where = `trial ${trial}, ${Math.round(perSecond)} requests a second`
    const boughtShare = seen.buying.done / Math.max(1, seen.buying.tried)
    const browsedShare = accepted.length / Math.max(1, seen.browsing.length)
    const unexpected = seen.browsing.filter(({ status }) => status !== 200 && status !== 503)
    const problems: [boolean, string][] = [
      [unexpected.length > 0, `${unexpected.length} other answers, the first ${unexpected[0]?.status}`],
      [refused.length === 0, 'no request was refused'],
      [accepted.length === 0, 'no request was accepted'],
      [refused.some(({ retryAfter }) => retryAfter === null), 'a refusal without Retry-After'],
      [p95 > latencyLimitMs, `accepted requests took ${p95} ms (95th percentile)`],
      [seen.health.some(({ status }) => status !== 200), 'health did not answer 200'],
      [slowestProbe > latencyLimitMs, `health took ${slowestProbe} ms`],
      [seen.buying.done === 0, 'no customer could buy'],
      [boughtShare <= browsedShare, `buying went on for ${boughtShare}, browsing for ${browsedShare}`],
      [normalMs === null, `was not back to normal after ${normalLimitMs} ms`],
    ]
    for (const [isProblem, text] of problems) if (isProblem) findings.push(`${where}: ${text}`)
    findings.push(...seen.buying.failures.map((failure) => `${where}: ${failure}`))
    facts.offered += seen.browsing.length
    facts.accepted += accepted.length
    facts.refused += refused.length
    facts.bought += seen.buying.done
    facts.acceptedP95Ms = Math.max(facts.acceptedP95Ms, p95)
    facts.healthMs = Math.max(facts.healthMs, slowestProbe)
    facts.normalMs = Math.max(facts.normalMs, normalMs ?? normalLimitMs)
    for (const customer of customers) customer.close()
  }
  findings.push(...(await runVerifiers(site.url)))
  return { trials, findings, facts }
}

/** Requests a second that a few clients get, each waiting for its answer. */
async function measureCapacity(origin: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: capacityClients })
  const until = performance.now() + capacityMs
  let answered = 0
  const browse = async (): Promise<void> => {
    while (performance.now() < until)
      if ((await visit(agent, `${origin}/products`)).status === 200) answered++
  }
  await Promise.all(Array.from({ length: capacityClients }, browse))
  agent.destroy()
  return answered / (capacityMs / 1000)
}

/** Sends requests at this rate, whatever the answers. */
async function offer(origin: string, perSecond: number, seen: Seen): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: maxOpen })
  const started = performance.now()
  const open = new Set<Promise<void>>()
  let sent = 0
  for (;;) {
    const elapsed = performance.now() - started
    if (elapsed > overloadMs) break
    const due = Math.floor((elapsed / 1000) * perSecond)
    for (; sent < due; sent++) {
      if (open.size >= maxOpen) continue
      const answer = visit(agent, `${origin}/products`).then((reply) => {
        seen.browsing.push(reply)
        open.delete(answer)
      })
      open.add(answer)
    }
    await sleep(5)
  }
  await Promise.all(open)
  agent.destroy()
}

type Customer = Awaited<ReturnType<typeof newBuyer>>

/** Buys again and again. A refused step ends the attempt, as an impatient customer would. */
async function keepBuying(
  customer: Customer,
  variant: string,
  { buying }: Seen,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    buying.tried++
    try {
      const intent = await createPaymentIntent(customer, [{ productVariantId: variant, quantity: 1 }])
      await pay(customer, intent)
      await placeOrder(customer, intent)
      buying.done++
    } catch (error) {
      if (!(error instanceof UnexpectedReplyError)) throw error
      if (error.reply.status !== 503) buying.failures.push(error.message)
    }
    await sleep(buyerPauseMs)
  }
}

/** Milliseconds until the shop refuses nothing any more, or null if it still does. */
async function waitUntilNormal(origin: string): Promise<number | null> {
  const started = performance.now()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    for (;;) {
      const ms = Math.round(performance.now() - started)
      const [metrics, page] = [await fetch(`${origin}/metrics`), await visit(agent, `${origin}/products`)]
      const isCalm = (await metrics.text()).includes('\nmeridian_overload_pressure 0\n')
      if (isCalm && page.status === 200) return ms
      if (ms > normalLimitMs) return null
      await sleep(100)
    }
  } finally {
    agent.destroy()
  }
}
