import { beforeIdsOf, idOfTime } from '#domain/ids.ts'
import type { InventoryTransaction } from '#domain/inventory/inventory.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db } from '../engine/client.ts'
import { countRows } from '../engine/count-rows.ts'
import { jsonRows } from '../engine/json-rows.ts'

/**
 * The plain part of the ledger: the first stock of a variant, before any order changed it. The rest
 * is sealed (db/ledger/sealed-rows.ts). A shop from before migration 0027 has all its rows here
 * until its next start has sealed them.
 */

const columns = {
  id: 'text',
  product_variant_id: 'text',
  transaction_type: 'text',
  quantity_change: 'integer',
  quantity_before: 'integer',
  quantity_after: 'integer',
  notes: 'text',
  created_at: 'timestamptz',
} as const

/** Writes the first stock of new variants. */
export async function insertFirstStock(
  db: Db,
  stocks: readonly { variantId: string; quantity: number; notes: string | null }[],
  now: Date,
): Promise<void> {
  if (stocks.length === 0) return
  const rows = stocks.map(({ variantId, quantity, notes }) => ({
    id: idOfTime(now.getTime()),
    product_variant_id: variantId,
    transaction_type: 'adjustment',
    quantity_change: quantity,
    quantity_before: 0,
    quantity_after: quantity,
    notes,
    created_at: now,
  }))
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  await sql`insert into inventory_transactions (${names})
    select ${names} from ${jsonRows(db, rows, columns)} where true`.execute(db)
}

/** Plain rows between two times, by time. */
export const listPlainRows = (
  db: Db,
  {
    variantId,
    from,
    to,
    after,
    dir,
    limit,
  }: {
    variantId: string | null
    /** The first time, in milliseconds; null for no limit. */
    from: number | null
    /** The time that is no longer included; null for no limit. */
    to: number | null
    /** The id of the last row that was read, in the order of `dir`. */
    after: string | null
    dir: 'asc' | 'desc'
    limit: number
  },
): Promise<InventoryTransaction[]> =>
  db
    .selectFrom('inventoryTransactions')
    .selectAll()
    .$if(variantId !== null, (query) => query.where('productVariantId', '=', variantId ?? ''))
    .$if(from !== null, (query) => query.where('id', '>', beforeIdsOf(from ?? 0)))
    .$if(to !== null, (query) => query.where('id', '<', beforeIdsOf(to ?? 0)))
    .$if(after !== null, (query) => query.where('id', dir === 'asc' ? '>' : '<', after ?? ''))
    .orderBy('id', dir)
    .limit(limit)
    .execute()

/** A plain row, or null. */
export async function findPlainRow(db: Db, id: string): Promise<InventoryTransaction | null> {
  const row = await db.selectFrom('inventoryTransactions').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** How many plain rows a grid shows, of one variant or of all. */
export async function countPlainRows(db: Db, variantId: string | null): Promise<number> {
  const rows = db
    .selectFrom('inventoryTransactions')
    .$if(variantId !== null, (query) => query.where('productVariantId', '=', variantId ?? ''))
  return countRows(db, rows)
}

/** All plain rows of variants in a range of ids, of each variant in its order. */
export const listPlainRowsOfVariants = (
  db: Db,
  { after, last }: { after: string; last: string },
): Promise<InventoryTransaction[]> =>
  db
    .selectFrom('inventoryTransactions')
    .selectAll()
    .where('productVariantId', '>', after)
    .where('productVariantId', '<=', last)
    .orderBy('productVariantId')
    .orderBy('id')
    .execute()

/**
 * Whether a variant has a second plain row, from before migration 0027. It reads an index only;
 * listing the rows reads the whole table.
 */
export async function hasRowsToSeal(db: Db): Promise<boolean> {
  const repeated = await db
    .selectFrom('inventoryTransactions')
    .select('productVariantId')
    .groupBy('productVariantId')
    .having((eb) => eb.fn.countAll<number>(), '>', 1)
    .limit(1)
    .executeTakeFirst()
  return repeated !== undefined
}

/**
 * Rows from before migration 0027 that must be sealed: all but the first of each variant, which no
 * order made. By time.
 */
export const listRowsToSeal = (
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<InventoryTransaction[]> =>
  db
    .selectFrom('inventoryTransactions as t')
    .selectAll()
    .where('t.id', '>', after)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('inventoryTransactions as earlier')
          .select('earlier.id')
          .whereRef('earlier.productVariantId', '=', 't.productVariantId')
          .whereRef('earlier.id', '<', 't.id'),
      ),
    )
    .orderBy('t.id')
    .limit(limit)
    .execute()

/** Deletes plain rows that are sealed now. Returns how many there were. */
export async function deletePlainRows(db: Db, ids: readonly string[]): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('inventoryTransactions')
    .where('id', 'in', ids)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/**
 * The units that orders sold in two periods that follow each other, less cancellations, in rows
 * that are not sealed yet.
 */
export async function sumPlainSales(
  db: Db,
  { before, from, to }: { before: Date; from: Date; to: Date },
): Promise<{ variantId: string; units: number; previousUnits: number }[]> {
  const unitsIn = (condition: RawBuilder<SqlBool>) =>
    sql<number>`cast(sum(case when ${condition} then -quantity_change else 0 end) as integer)`
  return (
    db
      .selectFrom('inventoryTransactions')
      .select([
        'productVariantId as variantId',
        unitsIn(sql`created_at >= ${from}`).as('units'),
        unitsIn(sql`created_at < ${from}`).as('previousUnits'),
      ])
      // Repeats the condition of the partial index of migration 0014.
      .where(sql<boolean>`transaction_type in ('sale', 'cancellation')`)
      .where('createdAt', '>=', before)
      .where('createdAt', '<', to)
      .groupBy('productVariantId')
      .execute()
  )
}
