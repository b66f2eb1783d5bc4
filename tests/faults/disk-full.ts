import { newAdmin, newBuyer, sameSession } from '#tests/support/buyer.ts'
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCuttableDisk, type CuttableDisk } from './cuttable-disk.ts'
import { keepBuying, withRetries } from './customers.ts'
import { exhaustLog } from './exhaust-log.ts'
import { newJournal, type Fault, type Outcome } from './journal.ts'
import { withOwnPostgres } from './own-postgres.ts'
import { readRecovery } from './read-recovery.ts'
import { addTestProduct, openSite, type Site } from './site.ts'
import { openStripe } from './stripe-provider.ts'
import { checkUploads, cookieOf, keepUploading, noUploads, waitForUpload } from './uploaders.ts'
import { runVerifiers, verifyShop } from './verify-shop.ts'
import { keepVisiting, quantile, type Sent } from './visitors.ts'

const customers = 4
const [calmMs, fullMs] = [2000, 8000]
const backLimitMs = 5000
const settleLimitMs = 300_000
const chunk = Buffer.alloc(1024 * 1024, 1)

/**
 * The disk with the database and the files is full for a while, as customers buy and upload. What
 * cannot be stored is refused with 507, pages are still read, and writes go on once there is room.
 * In every second trial Postgres cannot write its log either, and stops. It recovers by itself, or
 * is started again, as its service would do.
 */
export const diskFull: Fault = async ({ engine }, times) => {
  const disk = openCuttableDisk()
  const env = { STORAGE: `local:${join(disk.folder, 'files')}` }
  try {
    if (engine === 'sqlite') {
      const site = openSite('sqlite', `sqlite:${join(disk.folder, 'shop.sqlite')}`)
      return await fillRepeatedly(site, disk, { times, env, stop: null })
    }
    return await withOwnPostgres(disk.folder, async (postgres) => {
      let since = await readRecovery(postgres.url)
      const stop = {
        exhaust: () => exhaustLog(postgres.url),
        revive: async (): Promise<boolean> => {
          if (!(await postgres.isRunning())) {
            await postgres.crash()
            await postgres.start()
          }
          const before = since
          since = await readRecovery(postgres.url)
          return since !== before
        },
      }
      return fillRepeatedly(openSite('postgres', postgres.url), disk, { times, env, stop })
    })
  } finally {
    await disk.remove()
  }
}

/** What a full disk stops for good. SQLite has no process of its own. */
type Stop = {
  /** Uses up the room that is reserved for the log. Returns whether the database stopped. */
  exhaust: () => Promise<boolean>
  /** Starts it again if it does not recover by itself. Returns whether it had stopped. */
  revive: () => Promise<boolean>
}

async function fillRepeatedly(
  site: Site,
  disk: CuttableDisk,
  { times, env, stop }: { times: number; env: Record<string, string>; stop: Stop | null },
): Promise<Outcome> {
  const outcome: Outcome = { trials: times, findings: [], facts: {} }
  const { findings, facts } = outcome
  const provider = await openStripe({ undeliveredOneIn: 5 })
  const journal = newJournal()
  journal.isBroken = true
  const uploads = noUploads()
  try {
    const shop = await site.start({ env: { ...provider.env, ...env } })
    const { origin } = shop
    provider.connect(origin)
    const variants = await addTestProduct(origin, [1_000_000, 1_000_000])
    const admin = await newAdmin(origin)
    const names = Array.from({ length: customers }, (_, i) => `full-${Date.now()}-${i}`)
    const buyers = await Promise.all(names.map((name) => newBuyer(origin, name)))
    const statuses = new Map<number, number>()
    const stopping = new AbortController()
    const { signal } = stopping
    const visited: Record<'room' | 'full' | 'stopped', Sent[]> = { room: [], full: [], stopped: [] }
    let visits = visited.room
    const buying = buyers.map((buyer) => {
      const counted = {
        ...buyer,
        send: async (...request: Parameters<typeof buyer.send>) => {
          const reply = await buyer.send(...request)
          statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
          return reply
        },
      }
      const purchases = { variants, medicines: [], confirm: provider.confirm }
      const cancelling = withRetries(sameSession(admin, origin), journal, signal)
      return keepBuying(withRetries(counted, journal, signal), cancelling, purchases, journal, signal)
    })
    const urls = ['/', '/products', '/products?q=lozenges', '/cart'].map((path) => origin + path)
    const sessions: Record<string, string>[] = [{}, { cookie: cookieOf(buyers[0] ?? admin) }]
    const browsing = sessions.map((headers) =>
      keepVisiting(urls, { headers, pauseMs: 100, signal }, (sent) => visits.push(sent)),
    )
    const load = Promise.all([
      ...buying,
      ...browsing,
      keepUploading(origin, uploads, { pauseMs: 200, signal }),
    ])
    let [backMs, stops] = [0, 0]
    for (let trial = 0; trial < times; trial++) {
      await sleep(calmMs)
      const during: Sent[] = []
      visits = during
      const empty = fill(join(disk.folder, 'ballast'))
      await sleep(fullMs / 2)
      const isExhausted = stop !== null && trial % 2 === 1
      if (isExhausted && !(await stop.exhaust())) findings.push('Postgres went on without room for its log')
      await sleep(fullMs / 2)
      empty()
      const hasStopped = (await stop?.revive()) ?? false
      if (hasStopped) stops++
      else if (isExhausted) findings.push('Postgres stopped without a recovery')
      const ms = await waitForUpload(origin, backLimitMs)
      if (ms === null) findings.push(`was not back ${backLimitMs} ms after there was room`)
      backMs = Math.max(backMs, ms ?? backLimitMs)
      visited[hasStopped ? 'stopped' : 'full'].push(...during)
      visits = visited.room
    }
    await sleep(calmMs)
    stopping.abort()
    await load
    const { readPayments } = provider
    findings.push(...(await verifyShop({ origin, journal, variants, readPayments }, settleLimitMs)))
    findings.push(...(await checkUploads(uploads)))
    const wrong = [...statuses.keys()].filter((status) => status >= 500 && status !== 503 && status !== 507)
    if (wrong.length > 0) findings.push(`customers got ${wrong.join(', ')}`)
    if (!statuses.has(507)) findings.push('nothing was refused for want of room')
    // A Postgres that has stopped answers no reads.
    const unavailable = visited.stopped.filter(({ status }) => status === 503)
    const failed = [...visited.room, ...visited.full, ...visited.stopped].filter(
      (sent) => sent.status !== 200 && !unavailable.includes(sent),
    )
    if (failed.length > 0) findings.push(`${failed.length} pages failed, the first with ${failed[0]?.status}`)
    if (unavailable.some(({ retryAfter }) => retryAfter === null)) findings.push('a 503 without Retry-After')
    facts['pagesWithRoom'] = visited.room.length
    facts['pagesFull'] = visited.full.length
    facts['pagesStopped'] = visited.stopped.length
    facts['unavailablePages'] = unavailable.length
    facts['pageWithRoomP95Ms'] = quantile(visited.room, 0.95)
    facts['pageFullP95Ms'] = quantile(visited.full, 0.95)
    facts['orders'] = journal.orders.size
    facts['refused507'] = statuses.get(507) ?? 0
    facts['refused503'] = statuses.get(503) ?? 0
    facts['uploads'] = uploads.stored.size
    facts['refusedUploads'] = uploads.refused
    facts['databaseStopped'] = stops
    facts['backMs'] = backMs
    const exitCode = await shop.stop()
    if (exitCode !== 0) findings.push(`the shop ended with ${exitCode}`)
    findings.push(...(await runVerifiers(site.url)))
    return outcome
  } finally {
    await site.close()
    await provider.stripe.close()
  }
}

/** Fills the disk to its last block. Returns what makes room again. */
function fill(path: string): () => void {
  const file = openSync(path, 'w')
  try {
    for (let size = chunk.length; size >= 1;) {
      try {
        writeSync(file, chunk, 0, size)
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
        size = Math.floor(size / 2)
      }
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return () => rmSync(path)
}
