import { readArguments } from '#tests/support/read-arguments.ts'
import type { Engine } from '#db/engine/client.ts'
import { newAdmin } from '#tests/support/buyer.ts'
import { engines, freshDatabase, makeTemplates } from '#tests/support/databases.ts'
import { findPostgres } from '#tests/support/postgres.ts'
import type { PlainClient } from '#tests/support/http-client.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { startShop, type RunningShop } from '#tests/support/start-shop.ts'
import type { Page } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { z } from 'zod'
import { importCatalog } from './import-catalog.ts'
import { measureInteractions, type Interaction } from './interactions.ts'
import { quantile } from './load.ts'
import { sampleMemory, readMemoryMb } from '#tests/support/process-facts.ts'

/**
 * `npm run bench:back-office`: the back office at real size. It imports the directories, seeds
 * orders, and measures what the pages request: the first and the last page of each grid by each
 * sort, a search letter by letter, a bulk change of 1,000 orders, and the export of every variant.
 * Medians of nine; times at the client, one request after the other.
 */
const usage = 'npm run bench:back-office -- [--engine sqlite|postgres] [--catalog DIR] [--orders N]'
const { values: options } = readArguments(usage, {
  options: {
    engine: { type: 'string' },
    catalog: { type: 'string', default: 'tests/fixtures/directories' },
    orders: { type: 'string', default: '10000' },
  },
})
const rounds = 9
const seedKeys = {
  ENCRYPTION_KEYS: productionEnv.ENCRYPTION_KEYS,
  SESSION_SECRET: productionEnv.SESSION_SECRET,
}
const bulkRows = 1000

/** The grids with their sorts and typical searches. */
const grids: readonly {
  name: string
  sorts: readonly string[]
  searches: readonly string[]
  filter?: Record<string, string>
}[] = [
  {
    name: 'variants',
    sorts: ['product', 'price', 'stock', 'margin'],
    searches: ['metformin 500', '0228-2899', 'lipitor'],
  },
  { name: 'products', sorts: ['name', 'price'], searches: ['ibuprofen'] },
  { name: 'manufacturers', sorts: ['name', 'country'], searches: ['pharma'] },
  {
    name: 'orders',
    sorts: ['date', 'total', 'status'],
    searches: ['customer'],
    filter: { status: 'processing' },
  },
  { name: 'users', sorts: ['joined'], searches: ['customer'] },
]

const pageSchema = z.object({
  result: z.object({
    data: z.object({
      rows: z.array(z.object({ id: z.string() })),
      total: z.number(),
      next: z.string().nullable(),
    }),
  }),
})

async function callOnce(
  admin: PlainClient,
  path: string,
  input: object,
): Promise<{ ms: number; body: string }> {
  const started = performance.now()
  const reply = await admin.send('POST', `/trpc/${path}`, { json: input })
  const ms = performance.now() - started
  if (reply.status !== 200) throw new Error(`${path} returned ${reply.status}: ${reply.body.slice(0, 200)}`)
  return { ms, body: reply.body }
}

async function callRepeatedly(admin: PlainClient, path: string, input: object): Promise<number[]> {
  await callOnce(admin, path, input)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push((await callOnce(admin, path, input)).ms)
  return times.toSorted((a, b) => a - b)
}

const printLine = (label: string, ...figures: string[]): void =>
  console.log(`  ${label.padEnd(44)} ${figures.join('   ')}`)
const ms = (figure: number): string => `${figure.toFixed(1).padStart(8)} ms`

/** Searches as a user types: one request per letter. */
async function typeInto(admin: PlainClient, path: string, searches: readonly string[]): Promise<number[]> {
  const times: number[] = []
  for (const text of searches) {
    for (let length = 1; length <= text.length; length++) {
      times.push((await callOnce(admin, path, { q: text.slice(0, length) })).ms)
    }
  }
  return times.toSorted((a, b) => a - b)
}

async function measureGrids(admin: PlainClient): Promise<void> {
  for (const { name, sorts, searches, filter = {} } of grids) {
    const path = `${name}.list`
    const { total } = pageSchema.parse(JSON.parse((await callOnce(admin, path, {})).body)).result.data
    printLine(`${name}: ${total.toLocaleString('en-US')} rows`)
    for (const sort of sorts) {
      const first = quantile(await callRepeatedly(admin, path, { sort }), 0.5)
      const last = quantile(await callRepeatedly(admin, path, { sort, last: '1' }), 0.5)
      const reversed = quantile(await callRepeatedly(admin, path, { sort, dir: 'desc' }), 0.5)
      printLine(`  by ${sort}: first page, last page, reversed`, ms(first), ms(last), ms(reversed))
    }
    if (Object.keys(filter).length > 0) {
      printLine(
        `  filtered by ${Object.keys(filter).join()}`,
        ms(quantile(await callRepeatedly(admin, path, filter), 0.5)),
      )
    }
    const times = await typeInto(admin, path, searches)
    printLine(`  search, letter by letter: p50, p95`, ms(quantile(times, 0.5)), ms(quantile(times, 0.95)))
  }
}

/** The ids of `bulkRows` orders with a status. */
async function ordersOf(admin: PlainClient, status: string): Promise<string[]> {
  const ids: string[] = []
  let after: string | null = ''
  while (ids.length < bulkRows && after !== null) {
    const input: Record<string, string> = { size: '500', status, ...(after && { after }) }
    const { rows, next } = pageSchema.parse(JSON.parse((await callOnce(admin, 'orders.list', input)).body))
      .result.data
    ids.push(...rows.map(({ id }) => id))
    after = next
  }
  return ids.slice(0, bulkRows)
}

/**
 * Most seeded orders are delivered. Sets 1,000 of them back to processing, which emails their
 * customers, and then cancels, refunds and restocks them.
 */
async function measureBulk(admin: PlainClient): Promise<void> {
  const ids = await ordersOf(admin, 'delivered')
  for (const status of ['processing', 'cancelled']) {
    const { ms: elapsedMs } = await callOnce(admin, 'orders.setStatuses', { ids, status })
    printLine(`bulk status of ${ids.length} orders: ${status}`, ms(elapsedMs))
  }
}

/** Frequent interactions with the grids. */
const interactions: readonly Interaction[] = [
  ...['variants', 'products', 'inventory', 'orders', 'manufacturers', 'settings'].map((name) => ({
    name: `${name}: type in the search`,
    path: `/admin/${name}`,
    act: (page: Page) => page.getByRole('main').getByRole('searchbox').first().pressSequentially('pharma'),
  })),
  ...['variants', 'orders'].flatMap((name) => [
    {
      name: `${name}: sort by a column`,
      path: `/admin/${name}`,
      act: (page: Page) => page.getByRole('grid').getByRole('columnheader').getByRole('link').nth(1).click(),
    },
    {
      name: `${name}: the next page`,
      path: `/admin/${name}`,
      act: (page: Page) => page.getByRole('link', { name: /^Next/ }).click(),
    },
    {
      name: `${name}: move down by keyboard`,
      path: `/admin/${name}`,
      prepare: (page: Page) => page.getByRole('gridcell').first().focus(),
      act: async (page: Page) => {
        for (let step = 0; step < 10; step++) await page.keyboard.press('ArrowDown')
      },
    },
  ]),
  {
    name: 'orders: select all rows',
    path: '/admin/orders',
    act: (page) => page.getByRole('grid').getByRole('checkbox').first().click(),
  },
  {
    name: 'variants: open the edit dialog',
    path: '/admin/variants',
    act: (page) => page.getByRole('grid').getByRole('button', { name: /^Edit/ }).first().click(),
  },
  {
    name: 'anywhere: the palette',
    path: '/admin/orders',
    act: (page) => page.keyboard.press('Control+k'),
  },
  { name: 'anywhere: the sidebar', path: '/admin/orders', act: (page) => page.keyboard.press('Control+b') },
]

const cookieOf = (client: PlainClient): string =>
  [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

async function measureExport(shop: RunningShop, admin: PlainClient): Promise<void> {
  const before = readMemoryMb(shop.pid)
  const memory = sampleMemory(shop.pid)
  const cookie = cookieOf(admin)
  const started = performance.now()
  const response = await fetch(`${shop.origin}/admin/variants.csv`, { headers: { cookie } })
  let bytes = 0
  let lines = 0
  let firstMs = 0
  for await (const chunk of response.body ?? []) {
    const bytesRead = chunk as Uint8Array
    firstMs ||= performance.now() - started
    bytes += bytesRead.byteLength
    for (const byte of bytesRead) if (byte === 10) lines++
  }
  const elapsedMs = performance.now() - started
  printLine(
    `export of ${(lines - 1).toLocaleString('en-US')} variants, ${(bytes / 1e6).toFixed(1)} MB`,
    ms(elapsedMs),
    `first byte ${firstMs.toFixed(0)} ms`,
    `memory ${before.toFixed(0)} before, ${memory.stop().toFixed(0)} MB at most`,
  )
}

async function measure(engine: Engine, url: string): Promise<void> {
  const imported = await importCatalog(options.catalog, url)
  console.log(`${engine}: ${imported.lastLine.replace(/ file=.*/, '')}`)
  const seeded = performance.now()
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/db.ts', 'seed', '--orders', options.orders], {
    // The shop starts with the same keys afterwards.
    env: { ...process.env, ...seedKeys, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  printLine(`${options.orders} orders seeded`, ms(performance.now() - seeded))
  const shop = await startShop(url, { env: { RATE_LIMITS: 'off' } })
  try {
    const admin = await newAdmin(shop.origin)
    await measureGrids(admin)
    await measureBulk(admin)
    await measureExport(shop, admin)
    await measureInteractions(shop.origin, interactions, {
      viewport: { width: 1280, height: 800 },
      cookie: cookieOf(admin),
    })
    admin.close()
  } finally {
    await shop.stop()
  }
}

const server = await findPostgres({ durable: true })
const templates = await makeTemplates(server.url, ['demo'], { durable: true })
try {
  for (const engine of engines) {
    if (options.engine && options.engine !== engine) continue
    const database = await freshDatabase(templates, engine, 'demo')
    try {
      await measure(engine, database.url)
    } finally {
      await database.remove()
    }
  }
} finally {
  await templates.remove()
  await server.stop()
}
