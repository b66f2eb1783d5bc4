import { startS3 } from '#tests/mocks/s3.ts'
import { createPaymentIntent, newBuyer, pay, placeOrder, UnexpectedReplyError } from '#tests/support/buyer.ts'
import { freePort } from '#tests/support/free-port.ts'
import { NoReplyError, plainClient, type PlainClient, type Reply } from '#tests/support/http-client.ts'
import { samplePdf } from '#tests/support/sample-files.ts'
import type { RunningShop } from '#tests/support/start-shop.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { openFront } from './front.ts'
import { newJournal, type Fault, type Journal, type Outcome } from './journal.ts'
import { withOwnPostgres } from './own-postgres.ts'
import { readDemoPayments } from './provider-records.ts'
import { whenInUse } from './replica.ts'
import { addTestProduct, openSite } from './site.ts'
import { runVerifiers, verifyShop } from './verify-shop.ts'

const customers = 4
const visitors = 4
const pauseMs = 30
/** Until the proxy's health check has seen a shop: its interval is a second. */
const settleMs = 2500
const replicaLimitMs = 10_000
/** An account may have 200 files. */
const maxUploads = 150
const uploadPauseMs = 500
const prescriptionDate = '2026-01-02'

type Load = { origin: string; variant: string; journal: Journal; signal: AbortSignal; facts: Facts }
type Facts = {
  requests: number
  dropped: number
  assets: number
  orders: number
  uploads: number
  migrations: number
}

/**
 * Deploys by turns the other version to two shops, one after the other, behind the proxy and the
 * pooler of deploy/, with a replica and an S3 store, while customers read, sign in, fill carts,
 * buy and upload, and browsers load pages with their assets. Every other deploy is a rollback
 * onto the newer tables. No request may fail, and sessions, carts and files must survive.
 */
export const rollingDeploy: Fault = (_site, times, { oldFolder = '.' }) =>
  withOwnPostgres(null, (primary) =>
    withOwnPostgres(null, (copy) => deployRepeatedly(primary.url, copy.url, times, oldFolder), {
      primaryUrl: primary.url,
    }),
  )

async function deployRepeatedly(
  url: string,
  replicaUrl: string,
  times: number,
  oldFolder: string,
): Promise<Outcome> {
  const journal = newJournal()
  const facts: Facts = { requests: 0, dropped: 0, assets: 0, orders: 0, uploads: 0, migrations: 0 }
  const ports = [await freePort(), await freePort()]
  const folder = mkdtempSync(join(tmpdir(), 'meridian-deploy-s3-'))
  const s3 = await startS3(folder)
  const front = await openFront(url, ports)
  const site = openSite('postgres', url)
  const { origin } = front
  const env = {
    DATABASE_URL: front.pooledUrl,
    DATABASE_REPLICA_URL: replicaUrl,
    STORAGE: s3.address,
    AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    PUBLIC_ORIGIN: origin,
    TRUSTED_PROXY_HOPS: '1',
    DRAIN_MS: '2500',
  }
  const start = (port: number, of: string): Promise<RunningShop> => site.start({ port, folder: of, env })
  try {
    // The earlier version creates its own tables, so that the first deploy migrates them.
    const shops: RunningShop[] = []
    for (const port of ports) shops.push(await start(port, oldFolder))
    await sleep(settleMs)
    const before = await countMigrations(url)
    const [variant = ''] = await addTestProduct(origin, [1_000_000])
    const stop = new AbortController()
    const load: Load = { origin, variant, journal, signal: stop.signal, facts }
    const working = [
      ...Array.from({ length: customers }, (_, i) => buyRepeatedly(load, i)),
      ...Array.from({ length: visitors }, () => fillCart(load)),
      signInRepeatedly(load),
      uploadRepeatedly(load),
      loadPages(load),
    ]
    try {
      for (let deploy = 0; deploy < times; deploy++) {
        for (const [i, port] of ports.entries()) {
          const code = await shops[i]?.stop()
          if (code !== 0) journal.findings.push(`deploy ${deploy}: a shop exited with ${code}`)
          shops[i] = await start(port, deploy % 2 === 0 ? '.' : oldFolder)
          await sleep(settleMs)
        }
        const isUsed = await whenInUse(
          shops.map((shop) => shop.origin),
          true,
          replicaLimitMs,
        )
        if (!isUsed) journal.findings.push(`deploy ${deploy}: a shop does not use the replica`)
      }
    } finally {
      stop.abort()
      await Promise.all(working)
    }
    facts.migrations = (await countMigrations(url)) - before
    const readPayments = () => readDemoPayments(url)
    const findings = await verifyShop({ origin, journal, variants: [variant], readPayments })
    findings.push(...(await runVerifiers(url)))
    facts.orders = journal.orders.size
    return { trials: times, findings, facts }
  } finally {
    await site.close()
    await front.close()
    await s3.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Counts each request of a client; one without an expected answer was dropped. */
const counted = (client: PlainClient, { journal, facts }: Load): PlainClient => ({
  ...client,
  send: async (...request) => {
    facts.requests++
    const [method, path] = request
    try {
      const reply = await client.send(...request)
      if (reply.status < 400) return reply
      facts.dropped++
      journal.findings.push(`${method} ${path} returned ${reply.status}: ${reply.body.slice(0, 80)}`)
      return reply
    } catch (error) {
      if (!(error instanceof NoReplyError)) throw error
      facts.dropped++
      journal.findings.push(`${method} ${path} got no reply`)
      throw error
    }
  },
})

/** Works until the load ends. A failed request is counted already. */
async function repeat({ signal }: Load, work: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof NoReplyError) && !(error instanceof UnexpectedReplyError)) throw error
    }
    await sleep(pauseMs)
  }
}

/** One session for all deploys: it reads its account, buys and pays. */
async function buyRepeatedly(load: Load, i: number): Promise<void> {
  const { journal, variant } = load
  const buyer = await newBuyer(load.origin, `deploy-${Date.now()}-${i}`)
  const client = counted(buyer, load)
  await repeat(load, async () => {
    const account = await client.send('GET', '/api/auth/user')
    if (!account.body.includes(buyer.email)) journal.findings.push('a session was lost')
    const intent = await createPaymentIntent(client, [{ productVariantId: variant, quantity: 1 }])
    await pay(client, intent)
    journal.paid.add(intent.paymentId)
    const order = await placeOrder(client, intent)
    journal.orders.set(order.id, { paymentId: intent.paymentId, total: intent.total })
    await client.send('GET', '/orders')
  })
  buyer.close()
}

/** One visitor's cart for all deploys: at the end, everything that was added is in it. */
async function fillCart(load: Load): Promise<void> {
  const visitor = plainClient(load.origin)
  const client = counted(visitor, load)
  let quantity = 0
  await repeat(load, async () => {
    await client.send('GET', '/products')
    if (quantity < 900) {
      const form = { intent: 'add', variantId: load.variant, quantity: '1' }
      const reply: Reply = await client.send('POST', '/cart', { form })
      if (reply.status === 303) quantity++
    }
    await client.send('GET', '/cart')
  })
  const { body } = await client.send('GET', '/cart')
  const text = body.replaceAll(/<!--.*?-->/g, '')
  if (!text.includes(`Shopping Cart (${quantity} item`))
    load.journal.findings.push(`a cart of ${quantity} items has another number`)
  visitor.close()
}

const uploadSchema = z.object({ uploadURL: z.string() })
const fileSchema = z.object({ url: z.string() })
const idSchema = z.object({ id: z.string() })

/**
 * Loads pages with their assets, without a cache. The proxy chooses a shop for each request, so a
 * page of one release also requests its assets from the other.
 */
async function loadPages(load: Load): Promise<void> {
  const visitor = plainClient(load.origin)
  const client = counted(visitor, load)
  await repeat(load, async () => {
    for (const path of ['/', '/products', '/faq']) {
      const { body } = await client.send('GET', path)
      const assets = new Set(body.match(/\/assets\/[\w.-]+/g))
      if (assets.size === 0) load.journal.findings.push(`${path} refers to no asset`)
      for (const asset of assets) await client.send('GET', asset)
      load.facts.assets += assets.size
    }
  })
  visitor.close()
}

/** One customer's prescriptions for all deploys: at the end, every file is what was uploaded. */
async function uploadRepeatedly(load: Load): Promise<void> {
  const buyer = await newBuyer(load.origin, `deploy-${Date.now()}-files`)
  const client = counted(buyer, load)
  const stored = new Map<string, string>()
  const read = async <T>(schema: z.ZodType<T>, ...request: Parameters<PlainClient['send']>): Promise<T> => {
    const reply = await client.send(...request)
    if (reply.status >= 400) throw new UnexpectedReplyError(reply, request[1])
    return schema.parse(JSON.parse(reply.body))
  }
  const upload = async (text: string): Promise<string> => {
    const { uploadURL } = await read(uploadSchema, 'POST', '/api/objects/upload')
    const { pathname, search } = new URL(uploadURL, load.origin)
    return (await read(fileSchema, 'PUT', pathname + search, { text })).url
  }
  const fileOf = (at: number): string => samplePdf(`upload ${at}`, 20_000).toString('utf8')
  const idDocumentURL = await upload(fileOf(0))
  await client.send('PUT', '/api/profile/id-document', { json: { idDocumentURL } })
  await repeat(load, async () => {
    if (stored.size < maxUploads) {
      const text = fileOf(stored.size + 1)
      const json = { fileUrl: await upload(text), doctorName: 'Dr. Ada Quillfeather', prescriptionDate }
      stored.set((await read(idSchema, 'POST', '/api/prescriptions', { json })).id, text)
    }
    await sleep(uploadPauseMs)
  })
  load.facts.uploads = stored.size
  for (const [id, text] of stored) {
    const reply = await client.send('GET', `/api/prescriptions/${id}/file`)
    if (reply.body !== text) load.journal.findings.push(`the file of prescription ${id} differs`)
  }
  buyer.close()
}

async function signInRepeatedly(load: Load): Promise<void> {
  const { email, close } = await newBuyer(load.origin, `deploy-${Date.now()}-again`)
  close()
  await repeat(load, async () => {
    const client = plainClient(load.origin)
    const form = { email, password: 'long enough for this' }
    const reply = await counted(client, load).send('POST', '/login', { form })
    if (reply.status !== 303) load.journal.findings.push(`a sign-in returned ${reply.status}`)
    client.close()
  })
}

async function query(url: string, text: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query(text)
    return rowCount ?? 0
  } finally {
    await client.end()
  }
}

const countMigrations = (url: string): Promise<number> => query(url, 'select from schema_migrations')
