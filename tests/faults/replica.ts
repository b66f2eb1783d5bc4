import { newAdmin, newBuyer } from '#tests/support/buyer.ts'
import { freePort } from '#tests/support/free-port.ts'
import type { CrashingPostgres } from '#tests/support/postgres.ts'
import type { RunningShop } from '#tests/support/start-shop.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import type { Fault } from './journal.ts'
import { withOwnPostgres } from './own-postgres.ts'
import { pauseProcesses } from './pause-processes.ts'
import { readRecovery } from './read-recovery.ts'
import {
  events,
  keepFillingCart,
  keepReading,
  keepWriting,
  pauseMs,
  send,
  type Event,
  type Load,
} from './replica-load.ts'
import { addTestProduct, createOne, openSite } from './site.ts'

const recoveryLimitMs = 5000
/** A replica that is late shows it after five seconds. */
const lateLimitMs = 15_000
const outageMs = 1500
const calmMs = 500
/** Of Postgres itself: a busy machine recovers slowly. */
const serverLimitMs = 60_000

/**
 * A primary, its streaming replica and two processes under load. Reads must not fail with the
 * replica, a person must see the own write at once. All must be back within five seconds:
 * readiness, and the use of the replica. After the death of a backend, that includes Postgres' own
 * recovery.
 */
export const replica: Fault = (_site, times) =>
  withOwnPostgres(null, async (primary) => {
    return withOwnPostgres(null, (copy) => runTrials(primary, copy, times), { primaryUrl: primary.url })
  })

async function runTrials(primary: CrashingPostgres, copy: CrashingPostgres, times: number) {
  const site = openSite('postgres', primary.url)
  const load: Load = {
    event: null,
    findings: [],
    facts: { reads: 0, writes: 0, readBacks: 0, refused: 0, unanswered: 0 },
    names: new Map(),
  }
  const backMs: Record<string, number> = {}
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
    const [variant = ''] = await addTestProduct(origins[0] ?? '', [1_000_000])
    const customer = await newBuyer(origins[0] ?? '', `replica-${Date.now()}`)
    working.push(keepFillingCart(origins, variant, new Map(customer.cookies), load, stop.signal))
    customer.close()
    if (!(await whenInUse(origins, true, lateLimitMs))) load.findings.push('the replica was never in use')
    for (let trial = 0; trial < times; trial++) {
      const event = events[trial % events.length] ?? 'late'
      await sleep(calmMs)
      load.event = event
      let recoveryMs = 0
      if (event === 'first process' || event === 'second process') {
        const at = event === 'first process' ? 0 : 1
        await shops[at]?.kill()
        await sleep(outageMs)
        shops[at] = await start(Number(new URL(origins[at] ?? '').port))
      } else if (event === 'late' || event === 'replica hangs') {
        const end = await (event === 'late' ? pauseReplay(copy) : pauseServer(copy))
        const isLeft = await whenInUse(origins, false, lateLimitMs)
        await end()
        if (!isLeft) load.findings.push(`${event}: it stayed in use`)
      } else {
        const ms = await breakServer(event, event.startsWith('replica') ? copy : primary)
        backMs[`server after ${event} Ms`] = Math.max(backMs[`server after ${event} Ms`] ?? 0, ms)
        if (event.endsWith('backend')) recoveryMs = ms
      }
      for (const [what, shopMs] of Object.entries(await whenBack(origins))) {
        const ms = recoveryMs + shopMs
        const name = `${what} after ${event} Ms`
        if (ms > recoveryLimitMs) load.findings.push(`${event}: ${what} not in ${recoveryLimitMs} ms`)
        backMs[name] = Math.max(backMs[name] ?? 0, ms)
      }
      // Requests that began during the event end in it.
      await sleep(calmMs)
      load.event = null
    }
    stop.abort()
    await Promise.all(working)
    for (const [id, name] of load.names) {
      if (!(await isShown(`${origins[0] ?? ''}/api/products/${id}`, name)))
        load.findings.push('an acknowledged write is lost')
    }
  } finally {
    stop.abort()
    await site.close()
  }
  return { trials: times, findings: load.findings, facts: { ...load.facts, ...backMs } }
}

/** Whether a visitor sees the text in the end: the replica that they read may be seconds late. */
async function isShown(url: string, text: string): Promise<boolean> {
  const { origin, pathname } = new URL(url)
  const until = performance.now() + lateLimitMs
  for (;;) {
    if ((await send(origin, 'GET', pathname)).body.includes(text)) return true
    if (performance.now() > until) return false
    await sleep(pauseMs)
  }
}

const readText = async ({ url }: CrashingPostgres, text: string): Promise<string> =>
  z.string().parse((await query(url, text)).rows[0]?.[0])

async function pauseReplay({ url }: CrashingPostgres): Promise<() => Promise<unknown>> {
  await query(url, 'select pg_wal_replay_pause()')
  return () => query(url, 'select pg_wal_replay_resume()')
}

/** The server accepts connections and never answers. */
async function pauseServer(server: CrashingPostgres): Promise<() => Promise<void>> {
  const resume = await pauseProcesses(await readText(server, 'show data_directory'))
  return async () => resume()
}

/**
 * Ends the server, or kills one of its processes. The death of a backend restarts all others.
 * Returns after how many milliseconds the server accepts connections again.
 */
async function breakServer(event: Event, server: CrashingPostgres): Promise<number> {
  const elapsed = timer()
  if (event.endsWith('backend')) {
    const pid = `select min(pid)::text from pg_stat_activity where application_name = 'meridian'`
    const before = await readRecovery(server.url)
    process.kill(Number(await readText(server, pid)), 'SIGKILL')
    while (!(await hasRecovered(server, before))) {
      if (elapsed() > serverLimitMs) throw new Error('Postgres did not recover.')
      await sleep(pauseMs)
    }
    return elapsed()
  }
  if (event.endsWith('postmaster')) {
    const file = join(await readText(server, 'show data_directory'), 'postmaster.pid')
    process.kill(parseInt(readFileSync(file, 'utf8')), 'SIGKILL')
  } else await server.crash()
  await sleep(outageMs)
  if (event.endsWith('postmaster')) await server.crash()
  await server.start()
  return elapsed()
}

const timer = (): (() => number) => {
  const began = performance.now()
  return () => Math.round(performance.now() - began)
}

async function hasRecovered({ url }: CrashingPostgres, before: string): Promise<boolean> {
  try {
    return (await readRecovery(url)) !== before
  } catch {
    return false
  }
}

/** How long both processes take to be ready, and to read the replica again, in milliseconds. */
async function whenBack(origins: readonly string[]): Promise<{ ready: number; 'replica used': number }> {
  const elapsed = timer()
  const isReady = async (origin: string): Promise<boolean> =>
    (await send(origin, 'GET', '/readyz')).status === 200
  while (!(await Promise.all(origins.map(isReady))).every(Boolean) && elapsed() < lateLimitMs)
    await sleep(pauseMs)
  const ready = elapsed()
  await whenInUse(origins, true, lateLimitMs)
  return { ready, 'replica used': elapsed() }
}

/** Whether both processes use the replica, or do not, within the time. */
export async function whenInUse(
  origins: readonly string[],
  isInUse: boolean,
  limitMs: number,
): Promise<boolean> {
  const line = `\nmeridian_replica_in_use ${isInUse ? 1 : 0}\n`
  const until = performance.now() + limitMs
  for (;;) {
    const metrics = await Promise.all(origins.map((origin) => send(origin, 'GET', '/metrics')))
    if (metrics.every(({ body }) => body.includes(line))) return true
    if (performance.now() > until) return false
    await sleep(pauseMs)
  }
}

async function query(url: string, text: string): Promise<{ rows: unknown[][] }> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.query<unknown[]>({ text, rowMode: 'array' })
  } finally {
    await client.end()
  }
}
