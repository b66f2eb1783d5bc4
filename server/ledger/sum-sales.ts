import type { Db } from '#db/engine/client.ts'
import { sumPlainSales } from '#db/ledger/plain-rows.ts'
import { listBatchesBetween, listBatchRows, type BatchRow } from '#db/ledger/sealed-rows.ts'
import { timeOfId } from '#domain/ids.ts'
import type { LedgerChange } from '#domain/ledger/ledger.ts'
import type { Context } from '../context.ts'
import { openLedgerRow, openSums } from './sealed-ledger.ts'
import { openLedger } from './walk-ledger.ts'

/** Units by variant id. */
type Units = Map<string, number>
type Sales = { units: Units; previousUnits: Units }
type Span = { before: Date; from: Date; to: Date }
type Reader = Pick<Context, 'db' | 'keys' | 'now'>

/** What the settled batches of a span add up to, and the last that is in it. */
type SettledSales = Sales & { lastId: string }

/** So that other requests go on while the batches of a long period are opened. */
const batchesPerRead = 200

/** A batch with an earlier id can still be committed when this one is visible, but not for long. */
const settledMs = 60_000

/** The three periods of today and yesterday. */
const maxSpans = 6

const settled = new WeakMap<Db, Map<string, SettledSales>>()

/**
 * The units that orders sold in two periods that follow each other, less cancellations, by variant.
 * Closed batches never change. So this process remembers what they add up to, and opens only those
 * that are new, the inbox and the plain rows.
 */
export async function sumSales(ctx: Reader, span: Span): Promise<Sales> {
  const { inbox, lastBatchId } = await openLedger(ctx, null)
  const sales = await sumBatches(ctx, span, lastBatchId)
  addChanges(sales, span, inbox)
  for (const row of await sumPlainSales(ctx.db, span)) {
    add(sales.units, row.variantId, row.units)
    add(sales.previousUnits, row.variantId, row.previousUnits)
  }
  return sales
}

const add = (units: Units, variantId: string, count: number): void =>
  void units.set(variantId, (units.get(variantId) ?? 0) + count)

function addChanges(sales: Sales, { before, from, to }: Span, changes: readonly LedgerChange[]): void {
  for (const { variantId, type, change, at } of changes) {
    if (type !== 'sale' && type !== 'cancellation') continue
    if (at >= from.getTime() && at < to.getTime()) add(sales.units, variantId, -change)
    else if (at >= before.getTime() && at < from.getTime()) add(sales.previousUnits, variantId, -change)
  }
}

const noSales = (): Sales => ({ units: new Map(), previousUnits: new Map() })
const emptySales = (): SettledSales => ({ ...noSales(), lastId: '' })

function knownSales(db: Db, { before, from, to }: Span): SettledSales {
  const spans = settled.get(db) ?? new Map<string, SettledSales>()
  settled.set(db, spans)
  const key = [before, from, to].map((time) => time.toISOString()).join()
  const known = spans.get(key) ?? emptySales()
  spans.set(key, known)
  const [oldest = ''] = spans.keys()
  if (spans.size > maxSpans) spans.delete(oldest)
  return known
}

/** The sales of all batches up to `lastBatchId`, beside which the inbox was read. */
async function sumBatches(ctx: Reader, span: Span, lastBatchId: string | null): Promise<Sales> {
  if (lastBatchId === null) return noSales()
  const upTo = { span, lastBatchId }
  const sales = await addBatches(ctx, upTo, knownSales(ctx.db, span))
  // A late replica: what others added since is still in the inbox that was read here.
  return sales ?? (await addBatches(ctx, upTo, emptySales())) ?? noSales()
}

type OpenBatch = { id: string; addTo: (sales: Sales) => void }

/**
 * Adds the settled batches to `sums`, which other requests may do at the same time, and the others
 * to a copy. Returns the copy; null when `sums` has later batches than `lastBatchId`.
 */
async function addBatches(
  ctx: Reader,
  { span, lastBatchId }: { span: Span; lastBatchId: string },
  sums: SettledSales,
): Promise<Sales | null> {
  const settledUntil = ctx.now.getTime() - settledMs
  const fresh: OpenBatch[] = []
  for (let after = sums.lastId, isMore = true; isMore;) {
    const page = { from: span.before, to: span.to, after, limit: batchesPerRead }
    const batches = await listBatchesBetween(ctx.db, page)
    const opened = await Promise.all(
      batches.filter(({ id }) => id <= lastBatchId).map((batch) => openBatch(ctx, span, batch)),
    )
    // Nothing waits in this loop, so each batch is added once.
    for (const batch of opened) {
      if (timeOfId(batch.id) >= settledUntil) fresh.push(batch)
      else if (batch.id > sums.lastId) {
        batch.addTo(sums)
        sums.lastId = batch.id
      }
    }
    after = batches.at(-1)?.id ?? after
    isMore = batches.length === batchesPerRead
  }
  if (sums.lastId > lastBatchId) return null
  const sales = { units: new Map(sums.units), previousUnits: new Map(sums.previousUnits) }
  for (const batch of fresh) if (batch.id > sums.lastId) batch.addTo(sales)
  return sales
}

/** A batch within a period is read from its sums; one at a period's end, row by row. */
async function openBatch({ db, keys }: Reader, span: Span, batch: BatchRow): Promise<OpenBatch> {
  const { before, from, to } = span
  const isWithin = (start: Date, end: Date): boolean => batch.fromAt >= start && batch.toAt < end
  const period = isWithin(from, to) ? 'units' : isWithin(before, from) ? 'previousUnits' : null
  if (!period) {
    const changes = (await listBatchRows(db, batch.id, null)).map((row) => openLedgerRow(keys, row))
    return { id: batch.id, addTo: (sales) => addChanges(sales, span, changes) }
  }
  const sold = openSums(keys, batch)
  return {
    id: batch.id,
    addTo: (sales) => {
      for (const [variantId, count] of sold) add(sales[period], variantId, count)
    },
  }
}
