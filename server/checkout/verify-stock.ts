import type { Db } from '#db/engine/client.ts'
import { inSnapshot } from '#db/engine/snapshot.ts'
import {
  listAllReturns,
  listHoldingCheckouts,
  listSealedOrders,
  listStockFigures,
  type StockFigures,
} from '#db/inventory/stock-figures.ts'
import type { FrozenLine } from '#domain/checkout/checkout.ts'
import { openFrozen } from './sealed-checkout.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { readOrderLines } from '../orders/order-reader.ts'

const batch = 500

export type StockSummary = {
  variants: number
  transactions: number
  orders: number
  /** Open and paid checkouts. */
  checkouts: number
  findings: number
}

/** How many of each variant. */
type Units = Map<string, number>

/** What checkouts hold, orders sold, and cancelled orders gave back, as they themselves say. */
type Told = { held: Units; sold: Units; returned: Units; orders: number; checkouts: number }

/**
 * Holds the stock against its ledger, the checkouts and the orders, all at one moment, beside the
 * running shop and in bounded memory but for one number a variant that was ordered. Per variant:
 * the ledger is one chain from 0 to what is on hand; what is reserved is what open and paid
 * checkouts hold; sales and cancellations are those of the orders.
 * @param keys the shop's: what was ordered stands sealed
 * @param onFinding told of each in one sentence
 */
export async function verifyStock(
  { db, keys }: { db: Db; keys: KeyRing },
  onFinding: (sentence: string) => void,
): Promise<StockSummary> {
  return inSnapshot(db, async (db) => {
    let findings = 0
    const find = (sentence: string): void => {
      findings++
      onFinding(sentence)
    }
    const told = await readTold(db, keys, find)
    let [variants, transactions] = [0, 0]
    for await (const figures of eachRow(
      (after) => listStockFigures(db, { after, limit: batch }),
      'variantId',
    )) {
      variants++
      transactions += figures.transactions
      for (const fault of faultsOf(figures, told)) find(`Variant ${figures.variantId}: ${fault}`)
    }
    return { variants, transactions, orders: told.orders, checkouts: told.checkouts, findings }
  })
}

async function* eachRow<Key extends string, Row extends Record<Key, string>>(
  read: (after: string) => Promise<Row[]>,
  key: Key,
): AsyncGenerator<Row> {
  for (let after = ''; ;) {
    const rows = await read(after)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < batch) return
    after = last[key]
  }
}

async function readTold(db: Db, keys: KeyRing, find: (sentence: string) => void): Promise<Told> {
  const told: Told = { held: new Map(), sold: new Map(), returned: new Map(), orders: 0, checkouts: 0 }
  for await (const row of eachRow((after) => listHoldingCheckouts(db, { after, limit: batch }), 'id')) {
    told.checkouts++
    const lines = opened(() => openFrozen(keys, row).lines)
    if (lines) addTo(told.held, lines)
    else find(`Checkout ${row.id} does not open.`)
  }
  const returns = await listAllReturns(db)
  for await (const row of eachRow((after) => listSealedOrders(db, { after, limit: batch }), 'id')) {
    told.orders++
    const lines = opened(() => readOrderLines(keys, row))
    if (!lines) find(`Order ${row.id} does not open.`)
    if (lines) addTo(told.sold, lines)
    if (lines) addTo(told.returned, returnedOf(lines, row, returns))
  }
  return told
}

/**
 * What is back in stock of an order. One that was called off before lines were noted gave all of
 * them back.
 */
function returnedOf(
  lines: readonly FrozenLine[],
  { id, restockedAt }: { id: string; restockedAt: Date | null },
  returns: ReadonlyMap<string, ReadonlyMap<string, number>>,
): readonly FrozenLine[] {
  const noted = returns.get(id)
  if (!noted) return restockedAt === null ? [] : lines
  return lines.map((line) => ({ ...line, quantity: noted.get(line.id) ?? 0 }))
}

/**
 * Null of what is not sealed by the shop's keys, or is no longer what was sealed: that is what is
 * looked for here.
 */
function opened(open: () => FrozenLine[]): FrozenLine[] | null {
  try {
    return open()
  } catch {
    return null
  }
}

function addTo(units: Units, lines: readonly FrozenLine[]): void {
  for (const { productVariantId, quantity, isTracked } of lines) {
    if (isTracked) units.set(productVariantId, (units.get(productVariantId) ?? 0) + quantity)
  }
}

function faultsOf(figures: StockFigures, told: Told): string[] {
  const { variantId, stockQuantity, reservedQuantity, broken, firstBroken, lastAfter } = figures
  const [held, sold, returned] = [told.held, told.sold, told.returned].map(
    (units) => units.get(variantId) ?? 0,
  )
  const faults: string[] = []
  if (broken > 0) faults.push(`the ledger breaks at ${firstBroken} (rows: ${broken}).`)
  if ((lastAfter ?? 0) !== stockQuantity)
    faults.push(`the ledger ends at ${lastAfter ?? 0} and the stock is ${stockQuantity}.`)
  if (reservedQuantity !== held) faults.push(`${reservedQuantity} are reserved and checkouts hold ${held}.`)
  if (-figures.sales !== sold)
    faults.push(`the ledger says ${-figures.sales} were sold and orders say ${sold}.`)
  if (figures.cancellations !== returned)
    faults.push(`the ledger says ${figures.cancellations} came back and cancelled orders say ${returned}.`)
  return faults
}
