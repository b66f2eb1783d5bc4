import type { Db } from '#db/engine/client.ts'
import { readSnapshot } from '#db/engine/snapshot.ts'
import {
  listAllReturns,
  listReservingCheckouts,
  listSealedOrders,
  listStockFigures,
  type StockFigures,
} from '#db/inventory/stock-figures.ts'
import type { FrozenLine } from '#domain/checkout/checkout.ts'
import { openCheckout } from './sealed-checkout.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { readOrderLines } from '../orders/order-reader.ts'

const batchSize = 500

export type StockSummary = {
  variants: number
  transactions: number
  orders: number
  /** Open and paid checkouts. */
  checkouts: number
  findings: number
}

/** Units by variant id. */
type Units = Map<string, number>

/**
 * Units that checkouts reserve, orders sold and refunds restocked, from the sealed rows themselves.
 */
type ExpectedStock = { held: Units; sold: Units; returned: Units; orders: number; checkouts: number }

/**
 * Verifies the stock against the ledger, the checkouts and the orders in one snapshot, beside the
 * running shop. Memory is bounded, except for one number per ordered variant. For each variant: the
 * ledger is one chain from 0 to the quantity on hand; the reserved quantity is what open and paid
 * checkouts hold; sales and cancellations match the orders.
 * @param keys the shop's keys, which open the orders' lines
 * @param onFinding called with each finding as one sentence
 */
export async function verifyStock(
  { db, keys }: { db: Db; keys: KeyRing },
  onFinding: (message: string) => void,
): Promise<StockSummary> {
  return readSnapshot(db, async (db) => {
    let findings = 0
    const find = (message: string): void => {
      findings++
      onFinding(message)
    }
    const expected = await readExpected(db, keys, find)
    let [variants, transactions] = [0, 0]
    for await (const figures of eachRow(
      (after) => listStockFigures(db, { after, limit: batchSize }),
      'variantId',
    )) {
      variants++
      transactions += figures.transactions
      for (const fault of findFaults(figures, expected)) find(`Variant ${figures.variantId}: ${fault}`)
    }
    return { variants, transactions, orders: expected.orders, checkouts: expected.checkouts, findings }
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
    if (!last || rows.length < batchSize) return
    after = last[key]
  }
}

async function readExpected(db: Db, keys: KeyRing, find: (message: string) => void): Promise<ExpectedStock> {
  const expected: ExpectedStock = {
    held: new Map(),
    sold: new Map(),
    returned: new Map(),
    orders: 0,
    checkouts: 0,
  }
  for await (const row of eachRow((after) => listReservingCheckouts(db, { after, limit: batchSize }), 'id')) {
    expected.checkouts++
    const lines = openOrNull(() => openCheckout(keys, row).lines)
    if (lines) addTo(expected.held, lines)
    else find(`Checkout ${row.id} could not be decrypted.`)
  }
  const returns = await listAllReturns(db)
  for await (const row of eachRow((after) => listSealedOrders(db, { after, limit: batchSize }), 'id')) {
    expected.orders++
    const lines = openOrNull(() => readOrderLines(keys, row))
    if (!lines) find(`Order ${row.id} could not be decrypted.`)
    if (lines) addTo(expected.sold, lines)
    if (lines) addTo(expected.returned, countReturned(lines, row, returns))
  }
  return expected
}

/**
 * The units of an order that are back in stock. Orders that were cancelled before refund lines were
 * stored restocked all of their units.
 */
function countReturned(
  lines: readonly FrozenLine[],
  { id, restockedAt }: { id: string; restockedAt: Date | null },
  returns: ReadonlyMap<string, ReadonlyMap<string, number>>,
): readonly FrozenLine[] {
  const stored = returns.get(id)
  if (!stored) return restockedAt === null ? [] : lines
  return lines.map((line) => ({ ...line, quantity: stored.get(line.id) ?? 0 }))
}

/** Null when the row was not sealed with the shop's keys or was tampered with: a finding. */
function openOrNull(open: () => FrozenLine[]): FrozenLine[] | null {
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

function findFaults(figures: StockFigures, expected: ExpectedStock): string[] {
  const { variantId, stockQuantity, reservedQuantity, broken, firstBroken, lastAfter } = figures
  const [held, sold, returned] = [expected.held, expected.sold, expected.returned].map(
    (units) => units.get(variantId) ?? 0,
  )
  const faults: string[] = []
  if (broken > 0) faults.push(`the ledger breaks at ${firstBroken} (rows: ${broken}).`)
  if ((lastAfter ?? 0) !== stockQuantity)
    faults.push(`the ledger ends at ${lastAfter ?? 0}, but the stock is ${stockQuantity}.`)
  if (reservedQuantity !== held) faults.push(`${reservedQuantity} are reserved, but checkouts hold ${held}.`)
  if (-figures.sales !== sold) faults.push(`the ledger has ${-figures.sales} sold, but orders have ${sold}.`)
  if (figures.cancellations !== returned)
    faults.push(`the ledger has ${figures.cancellations} returned, but cancelled orders have ${returned}.`)
  return faults
}
