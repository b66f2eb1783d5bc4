import { maxStock } from '#domain/inventory/inventory.ts'
import type { LotUnits } from '#domain/inventory/lots.ts'
import { randomBytes } from '#domain/random-bytes.ts'
import { sql } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { jsonRows, timestamp } from '../engine/json-rows.ts'
import { pickFromLots } from './lots.ts'

/**
 * Writes a variant's stock. Each write is one conditional update without a prior read. A
 * transaction that writes several variants orders them by id, so that two transactions cannot
 * deadlock. Lots (`lots.ts`) are only written after their variant, whose row is then locked.
 */

/**
 * The effect of one write on the stock on hand; `recordStockChanges` turns it into a ledger row.
 */
export type StockChange = {
  variantId: string
  productId: string
  before: number
  after: number
  /**
   * The variant's version after the write: a later change has a higher one, whatever the clock
   * says.
   */
  sequence: number
  /**
   * Whether a tracked variant ran out or came back; its product's summary must then be refreshed.
   */
  hasAvailabilityChanged: boolean
  /** Whether it ever had stock in a lot. */
  hasLots: boolean
  /** The lots that gained or lost units with it; the rest is in no lot. */
  lots: readonly LotChange[]
}

/** Units that a lot gained, or lost when negative. */
export type LotChange = { lotId: string; change: number }

/** The sum of the changes of each lot. */
export function sumLotChanges(changes: readonly LotChange[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { lotId, change } of changes) sums.set(lotId, (sums.get(lotId) ?? 0) + change)
  return sums
}

type StockLine = { variantId: string; quantity: number }
/** Units that must be usable until the end of a day, YYYY-MM-DD. */
type SaleLine = StockLine & { usableUntil: string }
type ChangedRow = {
  productId: string
  after: number
  sequence: number
  isTracked: number
  hasLots: number
}

/**
 * Reserves available stock. Returns false and changes nothing when there is not enough or the
 * variant is deleted. Returns true for an untracked variant without reserving. The row stays locked
 * until the transaction ends, so a later read of the variant (`trackInventory`) sees what this
 * write saw.
 */
export async function reserveStock(db: Db, { variantId, quantity, usableUntil }: SaleLine): Promise<boolean> {
  return (await reserve(db, { variantId, quantity, usableUntil })).length > 0
}

/** Units on hand whose lots expire too early. Variants without lots read none. */
const unusable = (usableUntil: ReturnType<typeof sql<string>>) =>
  sql<number>`case when has_lots then (select coalesce(sum(l.quantity), 0) from stock_lots as l
    where l.variant_id = product_variants.id and l.status = 'available' and l.expires_on < ${usableUntil}) else 0 end`

const reserve = prepareQuery((db, p: Params<SaleLine>) =>
  db
    .updateTable('productVariants')
    .set({
      reservedQuantity: sql<number>`reserved_quantity + case when track_inventory then cast(${p.quantity} as integer) else 0 end`,
    })
    .where('id', '=', p.variantId)
    .where('deletedAt', 'is', null)
    .where(
      sql<boolean>`(not track_inventory or stock_quantity - reserved_quantity - ${unusable(p.usableUntil)} >= ${p.quantity})`,
    )
    .returning('id'),
)

const selectUsable = prepareQuery((db, p: Params<{ id: string; usableUntil: string }>) =>
  db
    .selectFrom('productVariants')
    .select(
      sql<number>`cast(stock_quantity - reserved_quantity - ${unusable(p.usableUntil)} as integer)`.as(
        'left',
      ),
    )
    .where('id', '=', p.id),
)

/**
 * Whether the reservations of a variant leave enough units that are usable until a day. Call it
 * after `reserveStock` in its transaction, which has locked the row.
 */
export async function hasUsableStock(db: Db, id: string, usableUntil: string): Promise<boolean> {
  const [row] = await selectUsable(db, { id, usableUntil })
  return row !== undefined && row.left >= 0
}

/** Releases reserved stock; the stock on hand stays. Only for lines that were reserved. */
export async function releaseStock(db: Db, { variantId, quantity }: StockLine): Promise<void> {
  await release(db, { variantId, quantity })
}

/** The remaining reservation; never below zero, even if tracking was switched in between. */
const reducedReservation = (quantity: ReturnType<typeof sql<number>>) =>
  sql<number>`case when reserved_quantity >= ${quantity} then reserved_quantity - ${quantity} else 0 end`

const release = prepareQuery((db, p: Params<StockLine>) =>
  db
    .updateTable('productVariants')
    .set({ reservedQuantity: reducedReservation(p.quantity) })
    .where('id', '=', p.variantId)
    .returning('id'),
)

/**
 * How much a change of the stock raises the version. Random, so that a version does not count the
 * orders of a variant, which could then be compared with its sealed ledger rows.
 */
const versionStep = (): number => 1 + ((randomBytes(1)[0] ?? 0) & 63)

const raisedVersion = (step: ReturnType<typeof sql<number>>) =>
  sql<number>`version + cast(${step} as integer)`

/**
 * The columns that an update returns. No booleans: SQLite does not report the type of returned
 * columns.
 */
const returningColumns = [
  'productId',
  'stockQuantity as after',
  'version as sequence',
  sql<number>`case when track_inventory then 1 else 0 end`.as('isTracked'),
  sql<number>`case when has_lots then 1 else 0 end`.as('hasLots'),
] as const

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

/** A sale, and the lots that its units came from. */
export type Deduction = StockChange & { picked: readonly LotUnits[] }

/**
 * Deducts reserved units from the stock and from the reservation. Returns null when there is not
 * enough on hand, because an adjustment may go below the reservation, or too few units last until
 * `usableUntil`: roll the transaction back then. A deleted variant is sold too: it was for sale
 * when it was reserved.
 */
export async function deductReserved(
  db: Db,
  { variantId, quantity, usableUntil }: SaleLine,
): Promise<Deduction | null> {
  const [row] = await deductFromReserved(db, { variantId, quantity, step: versionStep() })
  return row ? toDeduction(db, { variantId, quantity, usableUntil }, row) : null
}

/**
 * Deducts available stock. Returns null when there is not enough, or the variant is deleted: roll
 * the transaction back then.
 */
export async function deductAvailable(
  db: Db,
  { variantId, quantity, usableUntil }: SaleLine,
): Promise<Deduction | null> {
  const [row] = await deductFromAvailable(db, { variantId, quantity, usableUntil, step: versionStep() })
  return row ? toDeduction(db, { variantId, quantity, usableUntil }, row) : null
}

/** Picks the lots of a sale; a variant without lots needs no further statement. */
async function toDeduction(db: Db, line: SaleLine, row: ChangedRow): Promise<Deduction | null> {
  const change = toStockChange(line.variantId, row, -line.quantity)
  if (!change.hasLots) return { ...change, picked: [] }
  const picked = await pickFromLots(db, { ...line, onHand: change.before })
  return picked && { ...change, picked, lots: toLotChanges(picked, -1) }
}

/** What units of lots mean for them when they are sold (-1) or returned (1). */
export const toLotChanges = (units: readonly LotUnits[], sign: 1 | -1): LotChange[] =>
  units.map(({ lotId, quantity }) => ({ lotId, change: sign * quantity }))

type AddParams = { variantId: string; change: number; step: number }

const add = (db: Db, p: Params<AddParams>) =>
  db
    .updateTable('productVariants')
    .set({
      stockQuantity: sql<number>`stock_quantity + ${p.change}`,
      // A variant that an admin marked as out of stock stays so until its stock leaves zero.
      inStock: sql<boolean>`case when not track_inventory then in_stock when stock_quantity + ${p.change} = 0 then false
        when stock_quantity = 0 then true else in_stock end`,
      version: raisedVersion(p.step),
    })
    .where('id', '=', p.variantId)
    .returning(returningColumns)

const addOnHand = prepareQuery(add)

const addIfOnHand = prepareQuery((db, p: Params<AddParams>) =>
  add(db, p).where(sql<boolean>`stock_quantity + ${p.change} >= 0`),
)

const changeOnHand = prepareQuery((db, p: Params<AddParams & { now: Date }>) =>
  add(db, p)
    .set({ updatedAt: p.now })
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`stock_quantity + ${p.change} between 0 and ${sql.lit(maxStock)}`),
)

/**
 * Returns sold units to stock, even of a deleted variant. The caller returns those of lots to their
 * lots (`returnToLots`).
 */
export async function restock(
  db: Db,
  { variantId, quantity, lots = [] }: StockLine & { lots?: readonly LotUnits[] },
): Promise<StockChange | null> {
  const [row] = await addOnHand(db, { variantId, change: quantity, step: versionStep() })
  return row ? { ...toStockChange(variantId, row, quantity), lots: toLotChanges(lots, 1) } : null
}

/**
 * Adds to the stock on hand, or subtracts from it, for an order that was placed. Returns null when
 * too few are on hand.
 */
export async function addToStock(
  db: Db,
  { variantId, change }: { variantId: string; change: number },
): Promise<StockChange | null> {
  const [row] = await addIfOnHand(db, { variantId, change, step: versionStep() })
  return row ? toStockChange(variantId, row, change) : null
}

/** Moves all units of a lot into the stock, or with -1 out of it, even of a deleted variant. */
export async function moveLot(
  db: Db,
  { lotId, variantId, quantity }: StockLine & { lotId: string },
  sign: 1 | -1,
): Promise<StockChange | null> {
  const change = sign * quantity
  const [row] = await addOnHand(db, { variantId, change, step: versionStep() })
  return row ? { ...toStockChange(variantId, row, change), lots: [{ lotId, change }] } : null
}

/**
 * Adds to the stock on hand, or with a negative `change` subtracts from it, reserved units
 * included. Returns null and changes nothing when the stock would leave 0 to `maxStock`, or the
 * variant is deleted.
 */
export async function changeStock(
  db: Db,
  { variantId, change, now }: { variantId: string; change: number; now: Date },
): Promise<StockChange | null> {
  const [row] = await changeOnHand(db, { variantId, change, now, step: versionStep() })
  return row ? toStockChange(variantId, row, change) : null
}

/**
 * Sets the stock on hand of each variant, in one statement and any order. The transaction must have
 * locked the rows; `before` is their stock now. Quantities are from 0 to `maxStock`.
 */
export async function setStocks(
  db: Db,
  stocks: readonly { variantId: string; before: number; after: number }[],
  now: Date,
): Promise<StockChange[]> {
  if (stocks.length === 0) return []
  const list = jsonRows(
    db,
    stocks.map(({ variantId, after }) => ({ id: variantId, after, step: versionStep() })),
    { id: 'text', after: 'integer', step: 'integer' },
  )
  const { rows } = await sql<ChangedRow & { id: string }>`
    update product_variants set stock_quantity = r.after,
      in_stock = case when not track_inventory then in_stock when r.after = 0 then false
        when stock_quantity = 0 then true else in_stock end,
      version = version + r.step, updated_at = ${timestamp(db, now)}
    from ${list} where product_variants.id = r.id
    returning product_variants.id, product_id, stock_quantity as after, version as sequence,
      case when track_inventory then 1 else 0 end as is_tracked,
      case when has_lots then 1 else 0 end as has_lots`.execute(db)
  const beforeById = new Map(stocks.map(({ variantId, before }) => [variantId, before]))
  return rows.map(({ id, ...row }) => toStockChange(id, row, row.after - (beforeById.get(id) ?? row.after)))
}

function toStockChange(variantId: string, row: ChangedRow, change: number): StockChange {
  const before = row.after - change
  return {
    variantId,
    productId: row.productId,
    before,
    after: row.after,
    sequence: row.sequence,
    hasAvailabilityChanged: row.isTracked === 1 && (before === 0) !== (row.after === 0),
    hasLots: row.hasLots === 1,
    lots: [],
  }
}

/** The stock on hand of a variant, or null when it is deleted. */
export async function findStock(db: Db, variantId: string): Promise<number | null> {
  const row = await db
    .selectFrom('productVariants')
    .select('stockQuantity')
    .where('id', '=', variantId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row?.stockQuantity ?? null
}
