import type { Engine } from '#db/engine/client.ts'
import { newAdmin } from '#tests/support/buyer.ts'
import { engines, freshDatabase, makeTemplates } from '#tests/support/databases.ts'
import { findPostgres } from '#tests/support/postgres.ts'
import type { PlainClient } from '#tests/support/http-client.ts'
import { startShop } from '#tests/support/start-shop.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { importCatalog } from './import-catalog.ts'
import { quantile } from './load.ts'
import { sampleMemory, readMemoryMb } from '#tests/support/process-facts.ts'
import { readArguments } from '#tests/support/read-arguments.ts'

/**
 * `npm run bench:csv` exports every variant, changes its price and stock, and imports the file
 * again. It measures the upload, the check, the application, the shop's memory, and how long a
 * visitor's page takes during them.
 */
const usage = 'npm run bench:csv -- [--engine sqlite|postgres] [--catalog DIR]'
const { values: options } = readArguments(usage, {
  options: { engine: { type: 'string' }, catalog: { type: 'string', default: 'tests/fixtures/directories' } },
})
const pollEveryMs = 250

const progressSchema = z.object({
  result: z.object({ data: z.object({ status: z.string(), done: z.number(), total: z.number() }) }),
})

const show = (label: string, ...figures: string[]): void =>
  console.log(`  ${label.padEnd(30)} ${figures.join('   ')}`)

const cookieOf = (client: PlainClient): string =>
  [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** The export with a new price and one more unit on hand for every variant. */
async function changedExport(origin: string, admin: PlainClient): Promise<{ text: string; lines: number }> {
  const csv = await (
    await fetch(`${origin}/admin/variants.csv`, { headers: { cookie: cookieOf(admin) } })
  ).text()
  // `text()` drops the byte order mark.
  const [header = '', ...rows] = csv.trimEnd().split('\r\n')
  const names = header.split(',')
  const indexes = ['Variant ID', 'Stock quantity'].map((name) => names.indexOf(name))
  if (indexes.includes(-1)) throw new Error(`The export has unexpected columns: ${header}`)
  const text = rows.map((row) => {
    // The pattern also splits quoted cells that hold commas.
    const cells = row.match(/("([^"]|"")*"|[^,]*)(,|$)/g)?.map((cell) => cell.replace(/,$/, '')) ?? []
    const [id, stock] = indexes.map((index) => cells[index] ?? '')
    return `${id},${(Number(stock) + 100.37).toFixed(2)},${Number(stock) + 1}`
  })
  return { text: ['Variant ID,Price,Stock quantity', ...text, ''].join('\r\n'), lines: text.length }
}

async function upload(origin: string, admin: PlainClient, text: string): Promise<string> {
  const form = new FormData()
  form.append('file', new File([text], 'all.csv'))
  const reply = await fetch(`${origin}/admin/variants/import`, {
    method: 'POST',
    body: form,
    headers: { cookie: cookieOf(admin), origin },
    redirect: 'manual',
  })
  const id = /[0-9a-f-]{36}$/.exec(reply.headers.get('location') ?? '')?.[0]
  if (!id) throw new Error(`The upload returned ${reply.status}.`)
  return id
}

/**
 * Waits until the import has the status while a visitor loads a page again and again. Returns the
 * page's times in ms, sorted.
 */
async function visitUntil(
  admin: PlainClient,
  visitor: PlainClient,
  id: string,
  until: string,
): Promise<number[]> {
  const times: number[] = []
  for (;;) {
    const started = performance.now()
    await visitor.send('GET', '/products')
    times.push(performance.now() - started)
    const { body } = await admin.send('POST', '/trpc/imports.progress', { json: { id } })
    if (progressSchema.parse(JSON.parse(body)).result.data.status === until)
      return times.toSorted((a, b) => a - b)
    await sleep(pollEveryMs)
  }
}

async function measure(engine: Engine, url: string): Promise<void> {
  const imported = await importCatalog(options.catalog, url)
  console.log(`${engine}: ${imported.lastLine.replace(/ file=.*/, '')}`)
  const shop = await startShop(url, { env: { RATE_LIMITS: 'off' } })
  try {
    const admin = await newAdmin(shop.origin)
    const visitor = await newAdmin(shop.origin)
    const { text, lines } = await changedExport(shop.origin, admin)
    const memory = sampleMemory(shop.pid)
    const before = readMemoryMb(shop.pid)
    const timed = async <T>(label: string, work: () => Promise<T>): Promise<T> => {
      const started = performance.now()
      const result = await work()
      show(label, `${((performance.now() - started) / 1000).toFixed(1)} s`)
      return result
    }
    const showPage = (times: number[]) =>
      show(
        '  a page during it',
        `p50 ${quantile(times, 0.5).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms`,
      )
    const id = await timed(`upload of ${lines.toLocaleString('en-US')} lines`, () =>
      upload(shop.origin, admin, text),
    )
    const path = `/admin/variants/import/${id}`
    const step = (form: Record<string, string>, until: string) => async (): Promise<number[]> => {
      const { status } = await admin.send('POST', path, { form })
      if (status !== 303) throw new Error(`The import returned ${status}.`)
      return visitUntil(admin, visitor, id, until)
    }
    const columns = { 'column-0': 'id', 'column-1': 'price', 'column-2': 'stockQuantity' }
    showPage(await timed('check', step({ intent: 'check', ...columns }, 'checked')))
    showPage(await timed('application', step({ intent: 'apply', leavesOut: 'on' }, 'applied')))
    show('memory', `${before.toFixed(0)} MB before, ${memory.stop().toFixed(0)} MB at peak`)
    admin.close()
    visitor.close()
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
