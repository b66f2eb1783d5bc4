import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'

/** A variant's stock according to its row and according to its ledger. */
export type StockFigures = {
  variantId: string
  stockQuantity: number
  reservedQuantity: number
  transactions: number
  /**
   * Rows that do not start where the previous one ended, do not add up, or go back in time; and the
   * first such row.
   */
  broken: number
  firstBroken: string | null
  /** The quantity after the last row; null without rows. */
  lastAfter: number | null
  /** The sums of the changes of two types. */
  sales: number
  cancellations: number
}

/**
 * The figures of the next `limit` variants by id, including deleted ones; `''` starts at the first.
 */
export async function listStockFigures(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<StockFigures[]> {
  const ids = await db
    .selectFrom('productVariants')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  const last = ids.at(-1)?.id
  if (last === undefined) return []
  const { rows } = await sql<StockFigures>`
    select v.id as variant_id, v.stock_quantity, v.reserved_quantity, count(t.id) as transactions,
      coalesce(sum(t.is_broken), 0) as broken, min(case when t.is_broken = 1 then t.id end) as first_broken,
      max(case when t.from_end = 1 then t.quantity_after end) as last_after,
      coalesce(sum(case when t.transaction_type = 'sale' then t.quantity_change end), 0) as sales,
      coalesce(sum(case when t.transaction_type = 'cancellation' then t.quantity_change end), 0) as cancellations
    from product_variants v
    left join (
      select id, product_variant_id, transaction_type, quantity_change, quantity_after,
        case when quantity_before <> coalesce(lag(quantity_after) over chain, 0)
          or quantity_before + quantity_change <> quantity_after
          or created_at < lag(created_at) over chain then 1 else 0 end as is_broken,
        row_number() over (partition by product_variant_id order by id desc) as from_end
      from inventory_transactions
      where product_variant_id > ${after} and product_variant_id <= ${last}
      window chain as (partition by product_variant_id order by id)
    ) t on t.product_variant_id = v.id
    where v.id > ${after} and v.id <= ${last}
    group by v.id, v.stock_quantity, v.reserved_quantity
    order by v.id`.execute(db)
  return rows
}

/** The next `limit` checkouts by id that reserve stock. */
export const listReservingCheckouts = (db: Db, { after, limit }: { after: string; limit: number }) =>
  db
    .selectFrom('checkouts')
    .select(['id', 'sealedFrozen'])
    .where('status', 'in', ['open', 'paid'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** The next `limit` orders by id, including those of deleted accounts. */
export const listSealedOrders = (db: Db, { after, limit }: { after: string; limit: number }) =>
  db
    .selectFrom('orders')
    .select(['id', 'sealedOrder', 'restockedAt'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/**
 * By order and line, how many units are back in stock, for all orders with a refunded or returned
 * line.
 */
export async function listAllReturns(db: Db): Promise<Map<string, Map<string, number>>> {
  const rows = await db
    .selectFrom('refundLines')
    .select((eb) => ['orderId', 'lineId', eb.cast<number>(eb.fn.sum('restocked'), 'integer').as('restocked')])
    .groupBy(['orderId', 'lineId'])
    .execute()
  const orders = new Map<string, Map<string, number>>()
  for (const { orderId, lineId, restocked } of rows) {
    const lines = orders.get(orderId) ?? new Map<string, number>()
    orders.set(orderId, lines.set(lineId, restocked))
  }
  return orders
}
