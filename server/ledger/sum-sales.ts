import { countVariantMoves, listProductsOfVariants } from '#db/catalog/variant-moves.ts'
import type { Db } from '#db/engine/client.ts'
import { sumPlainSales } from '#db/ledger/plain-rows.ts'
import { listBatchesBetween, listBatchRows, type BatchRow } from '#db/ledger/sealed-rows.ts'
import type { ProductSales } from '#domain/dashboard/dashboard.ts'
import { rankSales } from '#domain/dashboard/rank-sales.ts'
import { timeOfId } from '#domain/ids.ts'
import type { LedgerChange } from '#domain/ledger/ledger.ts'
import type { Context } from '../context.ts'
import { openLedgerRow, openSums } from './sealed-ledger.ts'
import { openLedger } from './walk-ledger.ts'

/** Units by the id of a variant, or of a product. */
type Units = Map<string, number>
type Sales = { units: Units; previousUnits: Units }
type Span = { before: Date; from: Date; to: Date }
type Reader = Pick<Context, 'db' | 'keys' | 'now'>

/**
 * What the settled batches of a span add up to by product, the last that is in it, and how often
 * variants had moved to another product before the first was read.
 */
type SettledSales = Sales & { lastId: string; moves: number }

/** So that other requests go on while the batches of a long period are opened. */
const batchesPerRead = 200

/** A batch with an earlier id can still be committed when this one is visible, but not for long. */
const settledMs = 60_000

/** The three periods of today and yesterday. */
const maxSpans = 6

const settled = new WeakMap<Db, Map<string, SettledSales>>()

/**
 * The products of which orders sold the most units in a period, less cancellations, with the units
 * of the period before. Closed batches never change, and variants hardly ever move to another
 * product. So this process remembers what the batches add up to, and opens only those that are new,
 * the inbox and the plain rows.
 */
export async function listTopSales(ctx: Reader, span: Span, limit: number): Promise<ProductSales[]> {
  const { inbox, lastBatchId } = await openLedger(ctx, null)
  // Before any variant's product: one that moves afterwards is counted by the next request.
  const moves = await countVariantMoves(ctx.db)
  const products = rememberProducts(ctx.db)
  const unbatched = noSales()
  addChanges(unbatched, span, inbox)
  for (const row of await sumPlainSales(ctx.db, span)) {
    add(unbatched.units, row.variantId, row.units)
    add(unbatched.previousUnits, row.variantId, row.previousUnits)
  }
  await products.find([unbatched])
  const rank = async (sums: SettledSales): Promise<ProductSales[] | null> => {
    const fresh = lastBatchId === null ? [] : await addBatches(ctx, { span, lastBatchId, products }, sums)
    // Nothing waits from here on, so no other request adds to the sums in between.
    if (sums.lastId > (lastBatchId ?? '')) return null
    const recent = noSales()
    for (const batch of fresh) if (batch.id > sums.lastId) products.addTo(recent, batch.sales)
    products.addTo(recent, unbatched)
    return rankSales(sums, recent, limit)
  }
  // A late replica: what others added since is still in the inbox that was read here.
  return (await rank(knownSales(ctx.db, span, moves))) ?? (await rank(emptySales(moves))) ?? []
}

const add = (units: Units, id: string, count: number): void =>
  void units.set(id, (units.get(id) ?? 0) + count)

function addChanges(sales: Sales, { before, from, to }: Span, changes: readonly LedgerChange[]): void {
  for (const { variantId, type, change, at } of changes) {
    if (type !== 'sale' && type !== 'cancellation') continue
    if (at >= from.getTime() && at < to.getTime()) add(sales.units, variantId, -change)
    else if (at >= before.getTime() && at < from.getTime()) add(sales.previousUnits, variantId, -change)
  }
}

const noSales = (): Sales => ({ units: new Map(), previousUnits: new Map() })
const emptySales = (moves: number): SettledSales => ({ ...noSales(), lastId: '', moves })

/** The products of variants, each looked up once in a request. */
type Products = {
  find: (sales: readonly Sales[]) => Promise<void>
  /** Adds sales by variant to sales by product. */
  addTo: (byProduct: Sales, byVariant: Sales) => void
}

function rememberProducts(db: Db): Products {
  const known = new Map<string, string>()
  return {
    find: async (sales) => {
      const ids = sales.flatMap(({ units, previousUnits }) => [...units.keys(), ...previousUnits.keys()])
      const unknown = [...new Set(ids)].filter((id) => !known.has(id))
      if (unknown.length === 0) return
      for (const { id, productId } of await listProductsOfVariants(db, unknown)) known.set(id, productId)
    },
    addTo: (byProduct, byVariant) => {
      for (const period of ['units', 'previousUnits'] as const) {
        for (const [variantId, count] of byVariant[period]) {
          const productId = known.get(variantId)
          if (productId !== undefined) add(byProduct[period], productId, count)
        }
      }
    },
  }
}

function knownSales(db: Db, { before, from, to }: Span, moves: number): SettledSales {
  const spans = settled.get(db) ?? new Map<string, SettledSales>()
  settled.set(db, spans)
  const key = [before, from, to].map((time) => time.toISOString()).join()
  const found = spans.get(key)
  const known = found?.moves === moves ? found : emptySales(moves)
  spans.set(key, known)
  const [oldest = ''] = spans.keys()
  if (spans.size > maxSpans) spans.delete(oldest)
  return known
}

/** What a batch sold, by variant. */
type OpenBatch = { id: string; sales: Sales }

/**
 * Adds the settled batches up to `lastBatchId` to `sums`, which other requests may do at the same
 * time. Returns the others.
 */
async function addBatches(
  ctx: Reader,
  { span, lastBatchId, products }: { span: Span; lastBatchId: string; products: Products },
  sums: SettledSales,
): Promise<OpenBatch[]> {
  const settledUntil = ctx.now.getTime() - settledMs
  const fresh: OpenBatch[] = []
  for (let after = sums.lastId, isMore = true; isMore;) {
    const page = { from: span.before, to: span.to, after, limit: batchesPerRead }
    const batches = await listBatchesBetween(ctx.db, page)
    const opened = await Promise.all(
      batches.filter(({ id }) => id <= lastBatchId).map((batch) => openBatch(ctx, span, batch)),
    )
    await products.find(opened.map(({ sales }) => sales))
    // Nothing waits in this loop, so each batch is added once.
    for (const batch of opened) {
      if (timeOfId(batch.id) >= settledUntil) fresh.push(batch)
      else if (batch.id > sums.lastId) {
        products.addTo(sums, batch.sales)
        sums.lastId = batch.id
      }
    }
    after = batches.at(-1)?.id ?? after
    isMore = batches.length === batchesPerRead
  }
  return fresh
}

/** A batch within a period is read from its sums; one at a period's end, row by row. */
async function openBatch({ db, keys }: Reader, span: Span, batch: BatchRow): Promise<OpenBatch> {
  const { before, from, to } = span
  const isWithin = (start: Date, end: Date): boolean => batch.fromAt >= start && batch.toAt < end
  const period = isWithin(from, to) ? 'units' : isWithin(before, from) ? 'previousUnits' : null
  const sales = noSales()
  if (period) sales[period] = openSums(keys, batch)
  else {
    const changes = (await listBatchRows(db, batch.id, null)).map((row) => openLedgerRow(keys, row))
    addChanges(sales, span, changes)
  }
  return { id: batch.id, sales }
}
