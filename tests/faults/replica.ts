import { newAdmin } from '#tests/support/buyer.ts'
import { freePort } from '#tests/support/free-port.ts'
import type { CrashingPostgres } from '#tests/support/postgres.ts'
import type { RunningShop } from '#tests/support/start-shop.ts'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Fault } from './journal.ts'
import { withOwnPostgres } from './own-postgres.ts'
import { createOne, openSite } from './site.ts'

const recoveryLimitMs = 5000
/** A replica that is late shows it after five seconds. */
const lateLimitMs = 15_000
const outageMs = 1500
const calmMs = 500
const pauseMs = 40

const events = ['late', 'replica', 'primary', 'first process', 'second process'] as const
type Event = (typeof events)[number]

type Answer = { status: number; retryAfter: string | null; body: string }
type Load = {
  /** What breaks now, until the shop is back. */
  event: Event | null
  findings: string[]
  facts: { reads: number; writes: number; readBacks: number; refused: number; unanswered: number }
  /** The last acknowledged name of each product. */
  names: Map<string, string>
}

/**
 * A primary, its streaming replica and two processes under load. Reads must not fail with the
 * replica, a person must see the own write at once, and all must be back within five seconds.
 */
export const replica: Fault = (_site, times) =>
  withOwnPostgres(null, async (primary) => {
    return withOwnPostgres(null, (copy) => runTrials(primary, copy, times), primary.url)
  })

async function runTrials(primary: CrashingPostgres, copy: CrashingPostgres, times: number) {
  const site = openSite('postgres', primary.url)
  const load: Load = {
    event: null,
    findings: [],
    facts: { reads: 0, writes: 0, readBacks: 0, refused: 0, unanswered: 0 },
    names: new Map(),
  }
  const backMs = { late: 0, replica: 0, primary: 0, 'first process': 0, 'second process': 0 }
  const stop = new AbortController()
  try {
    const env = { DATABASE_REPLICA_URL: copy.url }
    const start = async (port?: number): Promise<RunningShop> =>
      site.start({ env, port: port ?? (await freePort()) })
    const shops = [await start(), await start()]
    const origins = shops.map(({ origin }) => origin)
    const admin = await newAdmin(origins[0] ?? '')
    const working: Promise<void>[] = []
    for (let at = 0; at < 2; at++) {
      const product = { name: `Lozenges ${at}`, image: '/illustrations/none.svg', category: 'OTC' }
      const id = await createOne(admin, '/api/products', product)
      const paths = [
        '/products',
        '/api/products',
        `/api/products/${id}`,
        `/products/${id}`,
        '/products?q=lozenges',
      ]
      working.push(keepWriting(origins, id, new Map(admin.cookies), load, stop.signal))
      working.push(keepReading(origins, paths, load, stop.signal))
    }
    admin.close()
    await whenBack(origins, lateLimitMs)
    for (let trial = 0; trial < times; trial++) {
      const event = events[trial % events.length] ?? 'late'
      await sleep(calmMs)
      load.event = event
      if (event === 'late') {
        await query(copy.url, 'select pg_wal_replay_pause()')
        if (!(await whenInUse(origins, false, lateLimitMs)))
          load.findings.push('a late replica stayed in use')
        await query(copy.url, 'select pg_wal_replay_resume()')
      } else if (event === 'replica' || event === 'primary') {
        const server = event === 'replica' ? copy : primary
        await server.crash()
        await sleep(outageMs)
        await server.start()
      } else {
        const at = event === 'first process' ? 0 : 1
        await shops[at]?.kill()
        await sleep(outageMs)
        shops[at] = await start(Number(new URL(origins[at] ?? '').port))
      }
      const ms = await whenBack(origins, recoveryLimitMs)
      if (ms === null) load.findings.push(`${event}: not back after ${recoveryLimitMs} ms`)
      backMs[event] = Math.max(backMs[event], Math.round(ms ?? recoveryLimitMs))
      // Requests that began during the event end in it.
      await sleep(calmMs)
      load.event = null
    }
    stop.abort()
    await Promise.all(working)
    for (const [id, name] of load.names) {
      const { body } = await send(origins[0] ?? '', 'GET', `/api/products/${id}`)
      if (!body.includes(name)) load.findings.push('an acknowledged write is lost')
    }
  } finally {
    stop.abort()
    await site.close()
  }
  const facts: Record<string, number> = { ...load.facts }
  for (const [event, ms] of Object.entries(backMs)) facts[`back after ${event} Ms`] = ms
  return { trials: times, findings: load.findings, facts }
}

/**
 * Waits until both processes answer and read the replica.
 * @returns milliseconds, or null if they do not
 */
async function whenBack(origins: readonly string[], limitMs: number): Promise<number | null> {
  const began = performance.now()
  for (;;) {
    const ready = await Promise.all(origins.map((origin) => send(origin, 'GET', '/readyz')))
    const left = limitMs - (performance.now() - began)
    if (left < 0) return null
    if (ready.every(({ status }) => status === 200) && (await whenInUse(origins, true, left)))
      return performance.now() - began
  }
}

/** Whether both processes use the replica, or do not, within the time. */
async function whenInUse(origins: readonly string[], isInUse: boolean, limitMs: number): Promise<boolean> {
  const line = `\nmeridian_replica_in_use ${isInUse ? 1 : 0}\n`
  const until = performance.now() + limitMs
  for (;;) {
    const metrics = await Promise.all(origins.map((origin) => send(origin, 'GET', '/metrics')))
    if (metrics.every(({ body }) => body.includes(line))) return true
    if (performance.now() > until) return false
    await sleep(pauseMs)
  }
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}

/** Reads as a visitor until the signal aborts, in turns at each process. */
async function keepReading(
  origins: readonly string[],
  paths: readonly string[],
  load: Load,
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; !signal.aborted; at++) {
    const path = paths[at % paths.length] ?? '/'
    const before = load.event
    const answer = await send(origins[at % origins.length] ?? '', 'GET', path)
    load.facts.reads++
    isAnswered(answer, [before, load.event], path, load)
    await sleep(pauseMs)
  }
}

/**
 * Renames a product as an admin in a browser until the signal aborts, and reads it at once at the
 * other process. An unanswered write may have happened, so the next one decides.
 */
async function keepWriting(
  origins: readonly string[],
  id: string,
  cookies: Map<string, string>,
  load: Load,
  signal: AbortSignal,
): Promise<void> {
  const path = `/api/products/${id}`
  for (let at = 0; !signal.aborted; at++) {
    const name = `Lozenges number ${at} of ${id}`
    const before = load.event
    const written = await send(origins[at % 2] ?? '', 'PATCH', path, cookies, { name })
    if (isAnswered(written, [before, load.event], `PATCH ${path}`, load)) {
      load.facts.writes++
      load.names.set(id, name)
      const then = load.event
      const read = await send(origins[(at + 1) % 2] ?? '', 'GET', path, cookies)
      if (isAnswered(read, [then, load.event], path, load)) {
        load.facts.readBacks++
        if (!read.body.includes(name)) load.findings.push(`${load.event ?? 'calm'}: an own write is stale`)
      }
    } else load.names.delete(id)
    await sleep(pauseMs)
  }
}

/** Counts a refusal that the event permits; any other is a finding. */
function isAnswered(answer: Answer, during: (Event | null)[], what: string, load: Load): boolean {
  const { status, retryAfter } = answer
  if (status === 200) return true
  const mayRefuse = during.includes('primary') && status === 503 && retryAfter !== null
  const isKilled = during.some((event) => event?.endsWith('process')) && status === 0
  if (mayRefuse) load.facts.refused++
  else if (isKilled) load.facts.unanswered++
  else load.findings.push(`${during[0] ?? 'calm'}: ${what} returned ${status}`)
  return false
}

const agent = new Agent({ keepAlive: false })

/** One request as a browser sends it. Status 0 when the connection ended without a response. */
const send = (
  origin: string,
  method: string,
  path: string,
  cookies = new Map<string, string>(),
  json?: unknown,
): Promise<Answer> =>
  new Promise((resolve) => {
    const fail = (): void => resolve({ status: 0, retryAfter: null, body: '' })
    const headers = {
      origin,
      'sec-fetch-site': 'same-origin',
      ...(cookies.size > 0 && { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
    }
    const sent = request(`${origin}${path}`, { agent, method, headers }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.once('error', fail)
      response.once('end', () => {
        const { 'retry-after': retryAfter = null, 'set-cookie': setCookie = [] } = response.headers
        for (const line of setCookie) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        resolve({ status: response.statusCode ?? 0, retryAfter, body })
      })
    })
    sent.once('error', fail)
    sent.end(json === undefined ? undefined : JSON.stringify(json))
  })
