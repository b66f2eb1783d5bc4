import type { Db } from '#db/engine/client.ts'
import { eachRow } from '#db/engine/each-row.ts'
import { readSnapshot } from '#db/engine/snapshot.ts'
import {
  listAllReturns,
  listReservingCheckouts,
  listSealedOrders,
  listLotFigures,
  listStockFigures,
  type LotFigures,
  type StockFigures,
} from '#db/inventory/stock-figures.ts'
import { countSealedRows } from '#db/ledger/sealed-rows.ts'
import { sumLotChanges } from '#db/inventory/stock-change.ts'
import type { FrozenLine } from '#domain/checkout/checkout.ts'
import { sumUnits } from '#domain/inventory/lots.ts'
import { findBreaks, type LedgerBreak } from '#domain/ledger/find-breaks.ts'
import type { LedgerChange } from '#domain/ledger/ledger.ts'
import { openCheckoutLines } from './sealed-checkout.ts'
import type { ShopKeys } from '../crypto/key-ring.ts'
import { explainedObject, readExplainedBreaks } from '../ledger/explained-breaks.ts'
import { openInbox, readVariantChains, type VariantChain } from '../ledger/read-variant-chains.ts'
import { readOrderLines } from '../orders/order-reader.ts'

const batchSize = 500
const byId = { key: 'id', limit: batchSize } as const

export type StockSummary = {
  variants: number
  transactions: number
  orders: number
  /** Open and paid checkouts. */
  checkouts: number
  /** Breaks of the ledger that were explained (`explainBreak`), which are not findings. */
  explained: number
  findings: number
}

/** A break of the ledger, and whether it was explained. */
export type FoundBreak = LedgerBreak & { isExplained: boolean }

/** Units by variant id. */
type Units = Map<string, number>

/**
 * Units that checkouts reserve, orders sold and refunds restocked, from the sealed rows themselves.
 */
type ExpectedStock = { held: Units; sold: Units; returned: Units; orders: number; checkouts: number }

/**
 * Verifies the stock against the ledger, the checkouts and the orders in one snapshot, beside the
 * running shop. Memory is bounded, except for one number per ordered variant. For each variant: the
 * ledger is one chain from 0 to the quantity on hand, except at explained breaks; the reserved
 * quantity is what open and paid checkouts hold; sales and cancellations match the orders; its lots
 * are the sum of their ledger rows, at most what was added to them, and at most the stock.
 * @param keys the shop's keys, which open the orders' lines
 * @param onFinding called with each finding as one sentence
 * @param onBreak called with each break of the ledger, explained or not
 */
export async function verifyStock(
  { db, keys }: { db: Db; keys: ShopKeys },
  onFinding: (message: string) => void,
  onBreak: (found: FoundBreak) => void = () => {},
): Promise<StockSummary> {
  return readSnapshot(db, async (db) => {
    let findings = 0
    const find = (message: string): void => {
      findings++
      onFinding(message)
    }
    const expected = await readExpected(db, keys, find)
    const inbox = await openInbox({ db, keys })
    for (const id of inbox.unreadable) find(`Ledger row ${id} could not be decrypted.`)
    const sealedRows = await countSealedRows(db)
    const explanations = await readExplainedBreaks(db)
    let [variants, transactions, readRows, explained] = [0, 0, 0, 0]
    for (let after = ''; ;) {
      const figures = await listStockFigures(db, { after, limit: batchSize })
      const variantIds = figures.map(({ id }) => id)
      const chains = await readVariantChains({ db, keys }, inbox, { after, variantIds })
      const lots = await listLotFigures(db, { after, last: variantIds.at(-1) ?? after })
      for (const one of figures) {
        const chain = chains.get(one.id) ?? { changes: [], unreadable: [], sealedRows: 0 }
        variants++
        transactions += chain.changes.length
        readRows += chain.sealedRows
        const own = lots.get(one.id) ?? []
        const breaks = findBreaks(chain.changes).map((found) => ({
          ...found,
          isExplained: explanations.has(explainedObject(keys, found)),
        }))
        for (const found of breaks) onBreak(found)
        const broken = breaks.filter(({ isExplained }) => !isExplained)
        explained += breaks.length - broken.length
        const faults = [...findFaults(one, chain, broken, expected), ...findLotFaults(one, chain, own)]
        for (const fault of faults) find(`Variant ${one.id}: ${fault}`)
      }
      after = variantIds.at(-1) ?? after
      if (figures.length < batchSize) break
    }
    if (readRows !== sealedRows) find(`${sealedRows - readRows} ledger rows belong to no variant.`)
    return {
      variants,
      transactions,
      orders: expected.orders,
      checkouts: expected.checkouts,
      explained,
      findings,
    }
  })
}

async function readExpected(db: Db, keys: ShopKeys, find: (message: string) => void): Promise<ExpectedStock> {
  const expected: ExpectedStock = {
    held: new Map(),
    sold: new Map(),
    returned: new Map(),
    orders: 0,
    checkouts: 0,
  }
  for await (const row of eachRow((page) => listReservingCheckouts(db, page), byId)) {
    expected.checkouts++
    const lines = openOrNull(() => openCheckoutLines(keys, row))
    if (lines) addTo(expected.held, lines)
    else find(`Checkout ${row.id} could not be decrypted.`)
  }
  const returns = await listAllReturns(db)
  for await (const row of eachRow((page) => listSealedOrders(db, page), byId)) {
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

function findFaults(
  { id, stockQuantity, reservedQuantity }: StockFigures,
  { changes, unreadable }: VariantChain,
  broken: readonly LedgerBreak[],
  expected: ExpectedStock,
): string[] {
  const [held, sold, returned] = [expected.held, expected.sold, expected.returned].map(
    (units) => units.get(id) ?? 0,
  )
  const last = changes.at(-1)
  const lastAfter = last ? last.before + last.change : 0
  const [sales, cancellations] = [sumOf(changes, 'sale'), sumOf(changes, 'cancellation')]
  const faults = unreadable.map((row) => `its ledger row ${row} could not be decrypted.`)
  const [first] = broken
  if (first) faults.push(`the ledger breaks at ${first.id} (rows: ${broken.length}).`)
  if (lastAfter !== stockQuantity)
    faults.push(`the ledger ends at ${lastAfter}, but the stock is ${stockQuantity}.`)
  if (reservedQuantity !== held) faults.push(`${reservedQuantity} are reserved, but checkouts hold ${held}.`)
  if (-sales !== sold) faults.push(`the ledger has ${-sales} sold, but orders have ${sold}.`)
  if (cancellations !== returned)
    faults.push(`the ledger has ${cancellations} returned, but cancelled orders have ${returned}.`)
  return faults
}

/**
 * Lots are the sum of their ledger rows, at most what was added to them, and together at most the
 * stock.
 */
function findLotFaults(
  { stockQuantity }: StockFigures,
  { changes }: VariantChain,
  lots: readonly LotFigures[],
): string[] {
  const sums = sumLots(changes)
  const added = sumLots(changes.filter(addsUnits))
  const inStock = lots.map(({ id, status, quantity }) => ({
    id,
    quantity: status === 'available' ? quantity : 0,
  }))
  const faults = inStock.flatMap(({ id, quantity }) => {
    const sum = sums.get(id) ?? 0
    return sum === quantity
      ? []
      : [`the ledger has ${sum} of lot ${id}, but the lot has ${quantity} in stock.`]
  })
  const unknown = [...sums.keys()].filter((lotId) => !lots.some(({ id }) => id === lotId))
  faults.push(...unknown.map((lotId) => `its ledger names the lot ${lotId}, which does not exist.`))
  for (const [lotId, sum] of sums) {
    const units = added.get(lotId) ?? 0
    if (sum > units) faults.push(`the ledger has ${sum} of lot ${lotId}, but only ${units} were added to it.`)
  }
  const units = sumUnits(inStock)
  if (units > stockQuantity)
    faults.push(`its lots have ${units} in stock, but the stock is ${stockQuantity}.`)
  return faults
}

const sumLots = (changes: readonly LedgerChange[]): Map<string, number> =>
  sumLotChanges(changes.flatMap((row) => row.lots ?? []))

/**
 * Whether a row brought units into the stock. Orders only return what they took: by a cancellation,
 * or by a change of their lots, which never adds to the stock.
 */
const addsUnits = ({ type, change }: LedgerChange): boolean => type !== 'cancellation' && change > 0

const sumOf = (changes: readonly LedgerChange[], type: LedgerChange['type']): number =>
  changes.reduce((sum, change) => (change.type === type ? sum + change.change : sum), 0)
