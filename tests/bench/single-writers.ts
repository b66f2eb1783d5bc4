import { insertAudits, type AuditRow } from '#db/audit/audit.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '#server/context.ts'
import { chainAudit } from '#server/jobs/chain-audit.ts'
import { closeBatches } from '#server/ledger/close-batches.ts'
import { recordStockChanges } from '#server/ledger/record-stock-changes.ts'
import { engines, freshDatabase, makeTemplates } from '#tests/support/databases.ts'
import { findPostgres } from '#tests/support/postgres.ts'
import { parseArgs } from 'node:util'
import { generateOrders } from './generate-orders.ts'
import { importCatalog } from './import-catalog.ts'
import { withContext } from './write-orders.ts'

/**
 * `npm run bench:writers -- [--rounds N]`: how many rows a second the two jobs take that only one
 * process runs at a time: the audit chain, and the batches of the sealed ledger. On both engines,
 * with durable commits. They bound the orders of a shop, whatever the number of processes.
 */
const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } })
const auditRows = 20_000
const orders = 4800
const signal = new AbortController().signal

type Rate = { perSecond: number; cpuUs: number }

/** Rows a second, and microseconds of this process's CPU time for each row. */
async function measure(rows: number, work: () => Promise<unknown>): Promise<Rate> {
  const [started, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { perSecond: (1000 * rows) / (performance.now() - started), cpuUs: (user + system) / rows }
}

async function addAuditRows({ db, now }: Context): Promise<void> {
  const rows = Array.from({ length: auditRows }, (): AuditRow => {
    const id = newId()
    return { id, actorId: id, subjectId: id, action: 'order.read', objectId: id, requestId: id, at: now }
  })
  await insertAudits(db, rows)
}

const unchanged = { hasAvailabilityChanged: false, hasLots: false, lots: [] }

/** A sale of one unit by each order, as the shop records it. */
async function addSales(ctx: Context, round: number): Promise<void> {
  const { id: variantId, productId } = await ctx.db
    .selectFrom('productVariants')
    .select(['id', 'productId'])
    .limit(1)
    .executeTakeFirstOrThrow()
  const stored = await ctx.db.selectFrom('orders').select('id').limit(orders).execute()
  const entryOf = (place: number) => {
    const sequence = round * orders + place
    const change = { variantId, productId, before: 1, after: 0, sequence, ...unchanged }
    return { change, transactionType: 'sale' as const, notes: null }
  }
  await ctx.db.transaction().execute(async (db) => {
    for (const [place, { id }] of stored.entries()) {
      await recordStockChanges({ ...ctx, db }, [entryOf(place)], [id])
    }
  })
}

const median = (rates: readonly Rate[]): Rate =>
  rates.toSorted((a, b) => a.perSecond - b.perSecond)[rates.length >> 1] ?? { perSecond: 0, cpuUs: 0 }

function print(work: string, rates: readonly Rate[]): void {
  const { perSecond, cpuUs } = median(rates)
  console.log(`  ${work.padEnd(38)} ${Math.round(perSecond)} a second, ${cpuUs.toFixed(0)} µs of CPU each`)
}

const server = await findPostgres({ durable: true })
const templates = await makeTemplates(server.url, ['empty'], { durable: true })
try {
  for (const engine of engines) {
    const { url, remove } = await freshDatabase(templates, engine)
    try {
      await importCatalog('tests/fixtures/directories', url)
      await withContext(url, async (started) => {
        await generateOrders(started, orders, () => {})
        const rates: Record<'audit' | 'ledger', Rate[]> = { audit: [], ledger: [] }
        for (let round = 0; round < Number(options.rounds); round++) {
          const ctx = { ...started, now: new Date() }
          await addAuditRows(ctx)
          rates.audit.push(await measure(auditRows, () => chainAudit(ctx, signal)))
          await addSales(ctx, round)
          rates.ledger.push(await measure(orders, () => closeBatches({ ...ctx, now: () => ctx.now })))
        }
        console.log(engine)
        print('rows of the audit log, chained', rates.audit)
        print('orders moved to batches of the ledger', rates.ledger)
      })
    } finally {
      await remove()
    }
  }
} finally {
  await templates.remove()
  await server.stop()
}
