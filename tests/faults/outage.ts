import { newAdmin, newBuyer, sameSession } from '#tests/support/buyer.ts'
import { openTestDatabase } from '#tests/support/databases.ts'
import type { PlainClient } from '#tests/support/http-client.ts'
import type { ProxyMode } from '#tests/support/tcp-proxy.ts'
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepBuying, withRetries } from './customers.ts'
import { newJournal, type Fault, type Journal, type Outcome } from './journal.ts'
import { startServices, type ServiceName, type Services } from './services.ts'
import { addTestProduct, type Site } from './site.ts'
import { checkUploads, cookieOf, keepUploading, noUploads, waitForUpload, type Uploads } from './uploaders.ts'
import { runVerifiers, verifyShop } from './verify-shop.ts'
import { keepVisiting, quantile, type Sent } from './visitors.ts'

/** `machine`: that of the database. */
type OutageKind = ServiceName | 'machine'

/** What fails, how, and for how many milliseconds. Afterwards it works again. */
type Outage = { kind: OutageKind; happen: (ms: number) => Promise<void> }

const calmMs = 5000
const defaultSeconds = 30
const customers = 4
const visitors = 4
const [visitPauseMs, probePauseMs] = [100, 500]
/** Uploads in an outage, whatever its length. */
const uploads = 100
const minUploadPauseMs = 200
/** The limit of a job's pause between attempts, and of a person's pause after it. */
const settleLimitMs = 300_000
const backLimitMs = 5000
/** A busy machine doubles a time now and then. */
const [slowerTimes, slowerMs] = [3, 150]

/**
 * The longest that a request may take, on a busy machine: two calls of 8 s to Stripe, a minute for
 * the storage, 35 s for a statement of Postgres and 5 s for its next connection.
 */
const requestLimitMs: Record<OutageKind, number> = {
  stripe: 25_000,
  mail: 10_000,
  storage: 75_000,
  database: 60_000,
  machine: 60_000,
}
const readyLimitMs = 4000

type Phase = 'before' | 'during' | 'after'
type Seen = {
  phase: Phase
  browsing: Record<Phase, Sent[]>
  health: Sent[]
  ready: Record<Phase, Sent[]>
  /** Every answer to a customer who buys. */
  statuses: Map<number, number>
  slowestMs: number
  /** Which request it was. */
  slowest: string
  uploads: Uploads
}

const newSeen = (): Seen => ({
  phase: 'before',
  browsing: { before: [], during: [], after: [] },
  health: [],
  ready: { before: [], during: [], after: [] },
  statuses: new Map(),
  slowestMs: 0,
  slowest: '',
  uploads: noUploads(),
})

/** Records each answer, also those that `withRetries` repeats. */
const recorded = (client: PlainClient, seen: Seen): PlainClient => ({
  ...client,
  send: async (...request) => {
    const started = performance.now()
    const reply = await client.send(...request)
    const ms = Math.round(performance.now() - started)
    if (ms > seen.slowestMs) {
      seen.slowestMs = ms
      seen.slowest = `${request[0]} ${request[1]} (${reply.status})`
    }
    seen.statuses.set(reply.status, (seen.statuses.get(reply.status) ?? 0) + 1)
    return reply
  },
})

/**
 * A service refuses connections, then accepts them and says nothing, then answers slowly, each for
 * a third of the time. The database first loses the answers on its open connections, commits
 * among them. In the end, the orders are locked. The shop is not restarted. Unless the service is
 * the database, people who only browse notice nothing. Every request ends, and what was bought and
 * uploaded is there.
 */
const outageOf =
  (service: ServiceName): Fault =>
  async (site, times, { seconds = defaultSeconds }) => {
    const services = await startServices(site)
    const happen = (ms: number): Promise<void> => breakService(site, services, service, ms)
    return runOutages(site, services, { kind: service, happen }, { times, seconds })
  }

/** Runs the trials of an outage, and closes the services. */
export async function runOutages(
  site: Site,
  services: Services,
  outage: Outage,
  { times, seconds }: { times: number; seconds: number },
): Promise<Outcome> {
  const outcome: Outcome = { trials: times, findings: [], facts: {} }
  try {
    for (let trial = 0; trial < times; trial++) await runTrial(site, services, outage, seconds, outcome)
  } finally {
    await services.close()
  }
  outcome.findings.push(...(await runVerifiers(site.url)))
  return outcome
}

export const stripeOutage = outageOf('stripe')
export const mailOutage = outageOf('mail')
export const storageOutage = outageOf('storage')
export const databaseOutage = outageOf('database')

async function runTrial(
  site: Site,
  services: Services,
  { kind, happen }: Outage,
  seconds: number,
  { findings, facts }: Outcome,
): Promise<void> {
  const journal = newJournal()
  // A customer may give up before a long outage ends. `statuses` has what they were answered.
  journal.isBroken = true
  const seen = newSeen()
  const shop = await site.start({ env: services.env })
  const { origin } = shop
  const { provider } = services
  provider.connect(origin)
  const variants = await addTestProduct(origin, [100_000, 100_000, 100_000])
  const stopping = new AbortController()
  const { ended } = await startLoad(origin, services, {
    variants,
    journal,
    seen,
    seconds,
    signal: stopping.signal,
  })

  await sleep(calmMs)
  seen.phase = 'during'
  await happen(seconds * 1000)
  const began = performance.now()
  const backMs = await waitUntilBack(kind, origin)
  seen.phase = 'after'
  await sleep(calmMs)
  stopping.abort()
  await ended
  const { readPayments } = provider
  findings.push(...(await verifyShop({ origin, journal, variants, readPayments }, settleLimitMs)))
  findings.push(...(await checkMails(site, services, settleLimitMs + seconds * 1000)))
  const settledMs = Math.round(performance.now() - began)
  findings.push(...(await checkUploads(seen.uploads)))
  findings.push(...checkAnswers(kind, seen, backMs))
  const exitCode = await shop.stop()
  if (exitCode !== 0) findings.push(`the shop ended with ${exitCode}`)

  const { before, during } = seen.browsing
  const add = (name: string, value: number): void => {
    facts[name] = name.endsWith('Ms') ? Math.max(facts[name] ?? 0, value) : (facts[name] ?? 0) + value
  }
  add('pagesBefore', before.length)
  add('pagesDuring', during.length)
  add('unavailablePages', during.filter(({ status }) => status === 503).length)
  add('pageBeforeP95Ms', quantile(before, 0.95))
  add('pageDuringP95Ms', quantile(during, 0.95))
  add('orders', journal.orders.size)
  add('cancelled', journal.cancelled.size)
  add('refused', seen.statuses.get(503) ?? 0)
  add('slowestRequestMs', seen.slowestMs)
  add('uploads', seen.uploads.stored.size)
  add('refusedUploads', seen.uploads.refused)
  add('slowestUploadMs', seen.uploads.slowestMs)
  add('backMs', backMs ?? backLimitMs)
  add('settledMs', settledMs)
}

/** Customers buy and cancel, upload and browse, with and without a session, and probes probe. */
async function startLoad(
  origin: string,
  { provider }: Services,
  run: {
    variants: readonly string[]
    journal: Journal
    seen: Seen
    seconds: number
    signal: AbortSignal
  },
): Promise<{ ended: Promise<unknown> }> {
  const { variants, journal, seen, seconds, signal } = run
  const admin = await newAdmin(origin)
  const names = Array.from({ length: customers }, (_, i) => `outage-${Date.now()}-${i}`)
  const buyers = await Promise.all(names.map((name) => newBuyer(origin, name)))
  const retrying = (client: PlainClient): PlainClient => withRetries(recorded(client, seen), journal, signal)
  const purchases = { variants, medicines: [], confirm: provider.confirm }
  const urls = ['/', '/products', '/products?q=lozenges', '/cart', '/products?sort=price-asc'].map(
    (path) => origin + path,
  )
  const browse = (i: number): Promise<void> => {
    const buyer = buyers[i]
    // Half of them are visitors, whose pages may come from the cache.
    const headers: Record<string, string> = i % 2 === 0 && buyer ? { cookie: cookieOf(buyer) } : {}
    return keepVisiting(urls, { headers, pauseMs: visitPauseMs, signal }, (sent) =>
      seen.browsing[seen.phase].push(sent),
    )
  }
  const probe = (path: string, record: (sent: Sent) => void): Promise<void> =>
    keepVisiting([origin + path], { pauseMs: probePauseMs, signal }, record)
  const uploadPauseMs = Math.max(minUploadPauseMs, (seconds * 1000) / uploads)
  const tasks = [
    ...buyers.map((buyer) =>
      keepBuying(retrying(buyer), retrying(sameSession(admin, origin)), purchases, journal, signal),
    ),
    ...Array.from({ length: visitors }, (_, i) => browse(i)),
    probe('/healthz', (sent) => seen.health.push(sent)),
    probe('/readyz', (sent) => seen.ready[seen.phase].push(sent)),
    keepUploading(origin, seen.uploads, { pauseMs: uploadPauseMs, signal }),
  ]
  return { ended: Promise.all(tasks) }
}

async function breakService(site: Site, services: Services, service: ServiceName, ms: number): Promise<void> {
  const modes: ProxyMode[] = ['refuse', 'hang', 'slow']
  // Before `refuse`, which closes the silent connections of an outage shorter than their limit.
  if (service === 'database') modes.unshift('silent')
  const shares = service === 'database' ? modes.length + 1 : modes.length
  for (const mode of modes) {
    await services.setMode(service, mode)
    await sleep(ms / shares)
  }
  await services.setMode(service, 'pass')
  if (service === 'database') await lockOrders(site, ms / shares)
}

/** Holds a lock that every order needs, as a mistaken migration or an open console does. */
async function lockOrders({ url }: Site, ms: number): Promise<void> {
  const db = openTestDatabase(url)
  try {
    await db.transaction().execute(async (tx) => {
      await sql`lock table orders in access exclusive mode`.execute(tx)
      await sleep(ms)
    })
  } finally {
    await db.destroy()
  }
}

/** Milliseconds until what needs the service works again, or null. Mail has pauses of its own. */
async function waitUntilBack(kind: OutageKind, origin: string): Promise<number | null> {
  if (kind === 'storage') return waitForUpload(origin, backLimitMs)
  const started = performance.now()
  for (;;) {
    const { ok } = await fetch(`${origin}/readyz`)
    const ms = Math.round(performance.now() - started)
    if (ok) return ms
    if (ms > backLimitMs) return null
    await sleep(50)
  }
}

/** Waits until no mail is due. Then each was received; one that broke off may come twice. */
async function checkMails({ url }: Site, { received }: Services, limitMs: number): Promise<string[]> {
  const db = openTestDatabase(url)
  const until = Date.now() + limitMs
  try {
    for (;;) {
      const rows = await db.selectFrom('outbox').select(['id', 'sentAt', 'failedAt']).execute()
      const waiting = rows.filter(({ sentAt }) => sentAt === null)
      const ids = new Set(received.map(({ header }) => header.get('message-id')?.slice(1, 37)))
      const lost = rows.filter(({ id }) => !ids.has(id))
      if (waiting.length === 0 || Date.now() > until) {
        return [
          ...waiting.map(({ id }) => `mail ${id} was not sent`),
          ...lost.map(({ id }) => `mail ${id} was not received`),
        ]
      }
      await sleep(500)
    }
  } finally {
    await db.destroy()
  }
}

function checkAnswers(kind: OutageKind, seen: Seen, backMs: number | null): string[] {
  const isDatabase = kind === 'database' || kind === 'machine'
  const { before, during, after } = seen.browsing
  const failed = (sent: readonly Sent[], also: number | null): Sent[] =>
    sent.filter(({ status }) => status !== 200 && status !== also)
  const badPages = [
    ...failed(before, null),
    ...failed(during, isDatabase ? 503 : null),
    ...failed(after, null),
  ]
  const refusals = during.filter(({ status }) => status === 503)
  const [calmP95, p95] = [quantile(before, 0.95), quantile(during, 0.95)]
  const badStatuses = [...seen.statuses.keys()].filter((status) => status >= 500 && status !== 503)
  const slowestReady = quantile(Object.values(seen.ready).flat(), 1)
  const slowestPage = quantile(during, 1)
  const problems: [boolean, string][] = [
    [during.length === 0, 'no page was requested'],
    [badPages.length > 0, `${badPages.length} pages failed, the first with ${badPages[0]?.status}`],
    [refusals.some(({ retryAfter }) => retryAfter === null), 'a refusal without Retry-After'],
    [badStatuses.length > 0, `customers got ${badStatuses.join(', ')}`],
    [
      !isDatabase && p95 > Math.max(slowerTimes * calmP95, calmP95 + slowerMs),
      `pages took ${p95} ms (95th percentile), ${calmP95} ms before`,
    ],
    [slowestPage > requestLimitMs[kind], `a page took ${slowestPage} ms`],
    [seen.slowestMs > requestLimitMs[kind], `${seen.slowest} took ${seen.slowestMs} ms`],
    [failed(seen.health, null).length > 0, 'health did not answer 200'],
    [failed(seen.ready.during, isDatabase ? 503 : null).length > 0, 'readiness did not answer 200'],
    [slowestReady > readyLimitMs, `readiness took ${slowestReady} ms`],
    [backMs === null, `was not back ${backLimitMs} ms after the outage`],
    [isDatabase && refusals.length === 0, 'no page was refused without a database'],
  ]
  return problems.filter(([isProblem]) => isProblem).map(([, text]) => `${kind}: ${text}`)
}
