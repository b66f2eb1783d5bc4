import { newAdmin, newBuyer } from '#tests/support/buyer.ts'
import { freePort } from '#tests/support/free-port.ts'
import type { CrashingPostgres } from '#tests/support/postgres.ts'
import type { RunningShop } from '#tests/support/start-shop.ts'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import type { Fault } from './journal.ts'
import { withOwnPostgres } from './own-postgres.ts'
import { pauseProcesses } from './pause-processes.ts'
import { addTestProduct, createOne, openSite } from './site.ts'

const recoveryLimitMs = 5000
/** A replica that is late shows it after five seconds. */
const lateLimitMs = 15_000
const outageMs = 1500
const calmMs = 500
/** A cart takes at most 999 of a product. */
const maxInCart = 900
const pauseMs = 40

const events = [
  'late',
  'replica',
  'replica hangs',
  'replica backend',
  'primary',
  'primary backend',
  'primary postmaster',
  'first process',
  'second process',
] as const
type Event = (typeof events)[number]

type Answer = { status: number; retryAfter: string | null; body: string }
type Load = {
  /** What breaks now, until the shop is back. */
  event: Event | null
  findings: string[]
  facts: {
    reads: number
    writes: number
    readBacks: number
    refused: number
    unanswered: number
  }
  /** The last acknowledged name of each product. */
  names: Map<string, string>
}

/**
 * A primary, its streaming replica and two processes under load. Reads must not fail with the
 * replica, a person must see the own write at once, and all must be back within five seconds:
 * readiness, and the use of the replica.
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
      } else await breakServer(event, event.startsWith('replica') ? copy : primary)
      for (const [what, ms] of Object.entries(await whenBack(origins))) {
        const name = `${what} after ${event} Ms`
        if (ms > recoveryLimitMs) load.findings.push(`${event}: ${what} not in ${recoveryLimitMs} ms`)
        backMs[name] = Math.max(backMs[name] ?? 0, Math.round(ms))
      }
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
  return { trials: times, findings: load.findings, facts: { ...load.facts, ...backMs } }
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

/** Ends the server, or kills one of its processes. The death of a backend restarts all others. */
async function breakServer(event: Event, server: CrashingPostgres): Promise<void> {
  if (event.endsWith('backend')) {
    const pid = `select min(pid)::text from pg_stat_activity where application_name = 'meridian'`
    process.kill(Number(await readText(server, pid)), 'SIGKILL')
    return
  }
  if (event.endsWith('postmaster')) {
    const file = join(await readText(server, 'show data_directory'), 'postmaster.pid')
    process.kill(parseInt(readFileSync(file, 'utf8')), 'SIGKILL')
  } else await server.crash()
  await sleep(outageMs)
  if (event.endsWith('postmaster')) await server.crash()
  await server.start()
}

/** How long both processes take to be ready, and to read the replica again, in milliseconds. */
async function whenBack(origins: readonly string[]): Promise<{ ready: number; 'replica used': number }> {
  const began = performance.now()
  const elapsed = (): number => performance.now() - began
  const isReady = async (origin: string): Promise<boolean> =>
    (await send(origin, 'GET', '/readyz')).status === 200
  while (!(await Promise.all(origins.map(isReady))).every(Boolean) && elapsed() < lateLimitMs)
    await sleep(pauseMs)
  const ready = elapsed()
  await whenInUse(origins, true, lateLimitMs)
  return { ready, 'replica used': elapsed() }
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

/**
 * Adds to a customer's cart until the signal aborts, and reads it at once at the other process. An
 * unanswered addition may have happened.
 */
async function keepFillingCart(
  origins: readonly string[],
  variantId: string,
  cookies: Map<string, string>,
  load: Load,
  signal: AbortSignal,
): Promise<void> {
  let least = 0
  let most = 0
  for (let at = 0; !signal.aborted; at++) {
    const before = load.event
    const form = new URLSearchParams({ intent: 'add', variantId, quantity: '1' })
    if (most < maxInCart) {
      const written = await send(origins[at % 2] ?? '', 'POST', '/cart', cookies, form)
      most++
      if (isAnswered(written, [before, load.event], 'POST /cart', load)) {
        load.facts.writes++
        least++
      }
    }
    const then = load.event
    const read = await send(origins[(at + 1) % 2] ?? '', 'GET', '/cart', cookies)
    if (isAnswered(read, [then, load.event], '/cart', load)) {
      load.facts.readBacks++
      const text = read.body.replaceAll(/<!--.*?-->/g, '')
      const shown = Number(/Shopping Cart \((\d+) item/.exec(text)?.[1] ?? 0)
      if (shown < least || shown > most) load.findings.push(`a cart of ${least} to ${most} shows ${shown}`)
    }
    await sleep(pauseMs)
  }
}

/** Counts a refusal that the event permits; any other is a finding. */
function isAnswered(answer: Answer, during: (Event | null)[], what: string, load: Load): boolean {
  const { status, retryAfter } = answer
  if (status === 200 || status === 303) return true
  const isPrimary = during.some((event) => event?.startsWith('primary'))
  const mayRefuse = isPrimary && status === 503 && retryAfter !== null
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
  body?: unknown,
): Promise<Answer> =>
  new Promise((resolve) => {
    const fail = (): void => resolve({ status: 0, retryAfter: null, body: '' })
    const headers = {
      origin,
      'sec-fetch-site': 'same-origin',
      ...(cookies.size > 0 && { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
      ...(body instanceof URLSearchParams
        ? { 'content-type': 'application/x-www-form-urlencoded' }
        : body !== undefined && { 'content-type': 'application/json' }),
    }
    const sent = request(`${origin}${path}`, { agent, method, headers }, (response) => {
      let received = ''
      response.setEncoding('utf8').on('data', (text: string) => (received += text))
      response.once('error', fail)
      response.once('end', () => {
        const { 'retry-after': retryAfter = null, 'set-cookie': setCookie = [] } = response.headers
        for (const line of setCookie) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        resolve({ status: response.statusCode ?? 0, retryAfter, body: received })
      })
    })
    sent.once('error', fail)
    if (body === undefined) sent.end()
    else sent.end(body instanceof URLSearchParams ? body.toString() : JSON.stringify(body))
  })
