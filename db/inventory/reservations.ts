import { sql } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'

export type StockLine = { variantId: string; quantity: number }

/** Units that must be usable until the end of a day, YYYY-MM-DD. */
export type SaleLine = StockLine & { usableUntil: string }

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
export const unusable = (usableUntil: ReturnType<typeof sql<string>>) =>
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
 * after `reserveStock` in its transaction, which has locked the row. Without the lock, another sale
 * can take these units.
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
export const reducedReservation = (quantity: ReturnType<typeof sql<number>>) =>
  sql<number>`case when reserved_quantity >= ${quantity} then reserved_quantity - ${quantity} else 0 end`

const release = prepareQuery((db, p: Params<StockLine>) =>
  db
    .updateTable('productVariants')
    .set({ reservedQuantity: reducedReservation(p.quantity) })
    .where('id', '=', p.variantId)
    .returning('id'),
)
