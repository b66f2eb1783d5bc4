import { maxStock } from '#domain/inventory/inventory.ts'
import { sql } from 'kysely'
import { engineOf, prepared, type Db, type Params } from '../engine/client.ts'
import { jsonRows, timestamp } from '../engine/json-rows.ts'
import { isOneOf } from '../engine/sql.ts'

/**
 * The writes of a variant's stock: each is one conditional update, none reads first. A transaction that writes several
 * goes through them in the order of their ids, so that two never wait for each other crosswise.
 */

/** What one write did to the stock on hand; `insertTransactions` makes the ledger's row of it. */
export type StockChange = {
  variantId: string
  productId: string
  before: number
  after: number
  /** When the ledger says that it happened: now, and always later than the variant's last change, whatever the clocks say. */
  at: Date
  /** Whether a tracked variant ran out or came back: then its product's summary has to be refreshed. */
  flipped: boolean
}

type Line = { variantId: string; quantity: number }
type Changing = { variantId: string; now: Date }
type ChangedRow = { productId: string; after: number; ledgerMs: number; isTracked: number }

/**
 * Holds some of what is on hand and not held yet; false, and nothing is changed, when there are not as many or the variant is
 * gone. True of an untracked variant, of which nothing is held. The row stays locked until the transaction ends, so
 * what is read of the variant after this (`trackInventory`) is what this went by.
 */
export async function reserveStock(db: Db, { variantId, quantity }: Line): Promise<boolean> {
  return (await reserve(db, { variantId, quantity })).length > 0
}

const reserve = prepared((db, p: Params<Line>) =>
  db
    .updateTable('productVariants')
    .set({
      reservedQuantity: sql<number>`reserved_quantity + case when track_inventory then cast(${p.quantity} as integer) else 0 end`,
    })
    .where('id', '=', p.variantId)
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`(not track_inventory or stock_quantity - reserved_quantity >= ${p.quantity})`)
    .returning('id'),
)

/**
 * Takes these variants for this transaction, in the order of their ids, where it goes through them more than once: what it gives back may come
 * after what it holds. SQLite has one writer.
 */
export async function lockVariants(db: Db, ids: readonly string[]): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  await db
    .selectFrom('productVariants')
    .select('id')
    .where(isOneOf(db, 'id', sql`${JSON.stringify(ids)}`))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Holds it no longer. For lines that were held; the stock on hand stays. */
export async function releaseStock(db: Db, { variantId, quantity }: Line): Promise<void> {
  await release(db, { variantId, quantity })
}

/** What stays reserved; less than nothing never, whatever was tracked in between. */
const lessReserved = (quantity: ReturnType<typeof sql<number>>) =>
  sql<number>`case when reserved_quantity >= ${quantity} then reserved_quantity - ${quantity} else 0 end`

const release = prepared((db, p: Params<Line>) =>
  db
    .updateTable('productVariants')
    .set({ reservedQuantity: lessReserved(p.quantity) })
    .where('id', '=', p.variantId)
    .returning('id'),
)

/** What each change of the stock on hand writes besides the quantity itself; the time is that of the ledger's row. */
const changed = (p: Params<{ nowMs: number; now: Date }>) => ({
  version: sql<number>`version + 1`,
  updatedAt: p.now,
  ledgerMs: sql<number>`case when ledger_ms < ${p.nowMs} then ${p.nowMs} else ledger_ms + 1 end`,
})

/** What the update itself says of the row as it is now. No booleans: SQLite does not tell the type of what it returns. */
const told = [
  'productId',
  'stockQuantity as after',
  'ledgerMs',
  sql<number>`case when track_inventory then 1 else 0 end`.as('isTracked'),
] as const

type Taking = Line & { nowMs: number; now: Date }

const take = (db: Db, p: Params<Taking>) =>
  db
    .updateTable('productVariants')
    .set({
      stockQuantity: sql<number>`stock_quantity - ${p.quantity}`,
      inStock: sql<boolean>`in_stock and not (track_inventory and stock_quantity = ${p.quantity})`,
      ...changed(p),
    })
    .where('id', '=', p.variantId)
    .returning(told)

const takeHeld = prepared((db, p: Params<Taking>) =>
  take(db, p)
    .set({ reservedQuantity: lessReserved(p.quantity) })
    .where(sql<boolean>`stock_quantity >= ${p.quantity}`),
)

const takeFree = prepared((db, p: Params<Taking>) =>
  take(db, p)
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`stock_quantity - reserved_quantity >= ${p.quantity}`),
)

/**
 * Takes what a checkout holds: from the stock and from what is reserved. Null, and nothing is changed, when there is not as
 * much on hand (an adjustment may go below what is reserved). A deleted variant is sold too: it was for sale when it was reserved.
 */
export async function takeReserved(
  db: Db,
  { variantId, quantity, now }: Line & Changing,
): Promise<StockChange | null> {
  const [row] = await takeHeld(db, { variantId, quantity, now, nowMs: now.getTime() })
  return row ? changeOf(variantId, row, -quantity) : null
}

/** Takes what nobody holds; null, and nothing is changed, when there is not as much or the variant is gone. */
export async function takeUnreserved(
  db: Db,
  { variantId, quantity, now }: Line & Changing,
): Promise<StockChange | null> {
  const [row] = await takeFree(db, { variantId, quantity, now, nowMs: now.getTime() })
  return row ? changeOf(variantId, row, -quantity) : null
}

const add = (db: Db, p: Params<{ variantId: string; change: number; nowMs: number; now: Date }>) =>
  db
    .updateTable('productVariants')
    .set({
      stockQuantity: sql<number>`stock_quantity + ${p.change}`,
      // A variant that was switched off by hand stays off until its stock leaves zero.
      inStock: sql<boolean>`case when not track_inventory then in_stock when stock_quantity + ${p.change} = 0 then false
        when stock_quantity = 0 then true else in_stock end`,
      ...changed(p),
    })
    .where('id', '=', p.variantId)
    .returning(told)

const putOnHand = prepared(add)

const changeOnHand = prepared(
  (db, p: Params<{ variantId: string; change: number; nowMs: number; now: Date }>) =>
    add(db, p)
      .where('deletedAt', 'is', null)
      .where(sql<boolean>`stock_quantity + ${p.change} between 0 and ${sql.lit(maxStock)}`),
)

/** Puts back what was sold; to a deleted variant too. */
export async function putBack(
  db: Db,
  { variantId, quantity, now }: Line & Changing,
): Promise<StockChange | null> {
  const [row] = await putOnHand(db, { variantId, change: quantity, now, nowMs: now.getTime() })
  return row ? changeOf(variantId, row, quantity) : null
}

/**
 * Adds to the stock on hand, or with a negative `change` takes from it, also of what is reserved. Null, and nothing is
 * changed, when the stock would be below zero or above `maxStock`, or the variant is gone.
 */
export async function changeStock(
  db: Db,
  { variantId, change, now }: Changing & { change: number },
): Promise<StockChange | null> {
  const [row] = await changeOnHand(db, { variantId, change, now, nowMs: now.getTime() })
  return row ? changeOf(variantId, row, change) : null
}

/**
 * Has this many of each variant on hand. For rows that this transaction has locked, with what is on hand of them now: in any order, as one
 * statement. Quantities are from 0 to `maxStock`.
 */
export async function setStocks(
  db: Db,
  stocks: readonly { variantId: string; before: number; after: number }[],
  now: Date,
): Promise<StockChange[]> {
  if (stocks.length === 0) return []
  const list = jsonRows(
    db,
    stocks.map(({ variantId, after }) => ({ id: variantId, after })),
    { id: 'text', after: 'integer' },
  )
  const ms = sql.lit(now.getTime())
  const { rows } = await sql<ChangedRow & { id: string }>`
    update product_variants set stock_quantity = r.after,
      in_stock = case when not track_inventory then in_stock when r.after = 0 then false
        when stock_quantity = 0 then true else in_stock end,
      version = version + 1, updated_at = ${timestamp(db, now)},
      ledger_ms = case when ledger_ms < ${ms} then ${ms} else ledger_ms + 1 end
    from ${list} where product_variants.id = r.id
    returning product_variants.id, product_id, stock_quantity as after, ledger_ms,
      case when track_inventory then 1 else 0 end as is_tracked`.execute(db)
  const befores = new Map(stocks.map(({ variantId, before }) => [variantId, before]))
  return rows.map(({ id, ...row }) => changeOf(id, row, row.after - (befores.get(id) ?? row.after)))
}

function changeOf(variantId: string, row: ChangedRow, change: number): StockChange {
  const before = row.after - change
  return {
    variantId,
    productId: row.productId,
    before,
    after: row.after,
    at: new Date(row.ledgerMs),
    flipped: row.isTracked === 1 && (before === 0) !== (row.after === 0),
  }
}

/** What is on hand of a variant, or null when it is gone. */
export async function findStock(db: Db, variantId: string): Promise<number | null> {
  const row = await db
    .selectFrom('productVariants')
    .select('stockQuantity')
    .where('id', '=', variantId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row?.stockQuantity ?? null
}
