import { maxStock } from '#domain/inventory/inventory.ts'
import type { LotUnits } from '#domain/inventory/lots.ts'
import { sql } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { jsonRows, timestamp } from '../engine/json-rows.ts'
import { isOneOf } from '../engine/sql.ts'
import type { StockLine } from './reservations.ts'
import {
  raisedVersion,
  returningColumns,
  toLotChanges,
  toStockChange,
  versionStep,
  type ChangedRow,
  type StockChange,
} from './stock-change.ts'

type AddParams = { variantId: string; change: number; step: number }

/** A variant that an admin marked as out of stock goes on sale when its stock leaves zero. */
const onSale = sql<boolean>`true`
/** It stays out of stock even then. */
const unchanged = sql<boolean>`in_stock`

const add = (db: Db, p: Params<AddParams>, afterZero = onSale) =>
  db
    .updateTable('productVariants')
    .set({
      stockQuantity: sql<number>`stock_quantity + ${p.change}`,
      inStock: sql<boolean>`case when not track_inventory then in_stock when stock_quantity + ${p.change} = 0 then false
        when stock_quantity = 0 then ${afterZero} else in_stock end`,
      version: raisedVersion(p.step),
    })
    .where('id', '=', p.variantId)
    .returning(returningColumns)

const addWithinBounds = (db: Db, p: Params<AddParams & { now: Date }>, afterZero = onSale) =>
  add(db, p, afterZero)
    .set({ updatedAt: p.now })
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`stock_quantity + ${p.change} between 0 and ${sql.lit(maxStock)}`)

const addOnHand = prepareQuery((db, p: Params<AddParams>) => add(db, p))

const addIfOnHand = prepareQuery((db, p: Params<AddParams>) =>
  add(db, p).where(sql<boolean>`stock_quantity + ${p.change} >= 0`),
)

const addIfUnreserved = prepareQuery((db, p: Params<AddParams>) =>
  add(db, p).where(sql<boolean>`(${p.change} = 0 or stock_quantity - reserved_quantity + ${p.change} >= 0)`),
)

const changeOnHand = prepareQuery((db, p: Params<AddParams & { now: Date }>) => addWithinBounds(db, p))

const changeOffSale = prepareQuery((db, p: Params<AddParams & { now: Date }>) =>
  addWithinBounds(db, p, unchanged),
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
 * Takes units, reserved ones included, even of a deleted variant. Returns null when too few are on
 * hand. The caller takes those of lots from their lots (`takeFromLots`).
 */
export async function takeFromStock(db: Db, { variantId, quantity }: StockLine): Promise<StockChange | null> {
  // Not `-quantity`, which is -0 for no units.
  const change = 0 - quantity
  const [row] = await addIfOnHand(db, { variantId, change, step: versionStep() })
  return row ? toStockChange(variantId, row, change) : null
}

/** The same, but leaves what customers who are checking out have reserved. */
export async function takeUnreserved(
  db: Db,
  { variantId, quantity }: StockLine,
): Promise<StockChange | null> {
  const change = 0 - quantity
  const [row] = await addIfUnreserved(db, { variantId, change, step: versionStep() })
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
 * @param keepsOffSale leaves a variant off sale when its stock leaves 0
 */
export async function changeStock(
  db: Db,
  {
    variantId,
    change,
    now,
    keepsOffSale = false,
  }: { variantId: string; change: number; now: Date; keepsOffSale?: boolean | undefined },
): Promise<StockChange | null> {
  const write = keepsOffSale ? changeOffSale : changeOnHand
  const [row] = await write(db, { variantId, change, now, step: versionStep() })
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

/** The stock of these variants; those that don’t exist are missing. */
export async function listStocks(db: Db, variantIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('productVariants')
    .select(['id', 'stockQuantity'])
    .where(isOneOf(db, 'id', sql`${JSON.stringify(variantIds)}`))
    .where('deletedAt', 'is', null)
    .execute()
  return new Map(rows.map(({ id, stockQuantity }) => [id, stockQuantity]))
}

/** Whether a variant is on sale; null when it doesn’t exist. */
export async function findIsOnSale(db: Db, variantId: string): Promise<boolean | null> {
  const row = await db
    .selectFrom('productVariants')
    .select('inStock')
    .where('id', '=', variantId)
    .executeTakeFirst()
  return row?.inStock ?? null
}
