import type { LotDays, LotUnits } from '#domain/inventory/lots.ts'
import { sql } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { pickFromLots } from './lots.ts'
import { reducedReservation, unusable, type SaleLine, type StockLine } from './reservations.ts'
import {
  raisedVersion,
  returningColumns,
  toLotChanges,
  toStockChange,
  versionStep,
  type ChangedRow,
  type StockChange,
} from './stock-change.ts'

type DeductParams = StockLine & { step: number }

/** Sets no time: an order's own would say whose order it was. */
const take = (db: Db, p: Params<DeductParams>) =>
  db
    .updateTable('productVariants')
    .set({
      stockQuantity: sql<number>`stock_quantity - ${p.quantity}`,
      inStock: sql<boolean>`in_stock and not (track_inventory and stock_quantity = ${p.quantity})`,
      version: raisedVersion(p.step),
    })
    .where('id', '=', p.variantId)
    .returning(returningColumns)

const deductFromReserved = prepareQuery((db, p: Params<DeductParams>) =>
  take(db, p)
    .set({ reservedQuantity: reducedReservation(p.quantity) })
    .where(sql<boolean>`stock_quantity >= ${p.quantity}`),
)

const deductFromAvailable = prepareQuery((db, p: Params<DeductParams & { usableUntil: string }>) =>
  take(db, p)
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`stock_quantity - reserved_quantity - ${unusable(p.usableUntil)} >= ${p.quantity}`),
)

/** Units of an order, whose lots should also outlast its arrival. */
type OrderedLine = SaleLine & LotDays

/** A sale, and the lots that its units came from. */
export type Deduction = StockChange & { picked: readonly LotUnits[] }

/**
 * Deducts reserved units from the stock and from the reservation. Returns null when there is not
 * enough on hand, because an adjustment may go below the reservation, or too few units last until
 * `usableUntil`: roll the transaction back then. A deleted variant is sold too: it was for sale
 * when it was reserved.
 */
export async function deductReserved(db: Db, line: OrderedLine): Promise<Deduction | null> {
  const { variantId, quantity } = line
  const [row] = await deductFromReserved(db, { variantId, quantity, step: versionStep() })
  return row ? toDeduction(db, line, row) : null
}

/**
 * Deducts available stock. Returns null when there is not enough, or the variant is deleted: roll
 * the transaction back then.
 */
export async function deductAvailable(db: Db, line: OrderedLine): Promise<Deduction | null> {
  const { variantId, quantity, usableUntil } = line
  const [row] = await deductFromAvailable(db, { variantId, quantity, usableUntil, step: versionStep() })
  return row ? toDeduction(db, line, row) : null
}

/** Picks the lots of a sale; a variant without lots needs no further statement. */
async function toDeduction(db: Db, line: OrderedLine, row: ChangedRow): Promise<Deduction | null> {
  const change = toStockChange(line.variantId, row, -line.quantity)
  if (!change.hasLots) return { ...change, picked: [] }
  const picked = await pickFromLots(db, { ...line, onHand: change.before })
  return picked && { ...change, picked, lots: toLotChanges(picked, -1) }
}
