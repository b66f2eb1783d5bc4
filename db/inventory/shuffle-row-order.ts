import { sql } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import { lockVariants } from './lock-variants.ts'

/**
 * Rewrites these variants, their lots and products in random order. Postgres writes a new version
 * of a row at each update, so the physical order of the rows would be that of the last sales.
 * SQLite updates a row in place.
 */
export async function shuffleRowOrder(db: Db, variantIds: readonly string[]): Promise<void> {
  if (getEngine(db) === 'sqlite' || variantIds.length === 0) return
  // Locked in the order that sales lock them, to avoid deadlocks.
  await lockVariants(db, variantIds)
  const products = await db
    .selectFrom('products')
    .select('id')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('productVariants')
          .select('productVariants.id')
          .whereRef('productVariants.productId', '=', 'products.id')
          .where(isOneOf(db, 'product_variants.id', sql`${JSON.stringify(variantIds)}`)),
      ),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const lots = await db
    .selectFrom('stockLots')
    .select('id')
    .where(isOneOf(db, 'variant_id', sql`${JSON.stringify(variantIds)}`))
    .execute()
  const lists = [
    ['product_variants', variantIds],
    ['products', products.map(({ id }) => id)],
    ['stock_lots', lots.map(({ id }) => id)],
  ] as const
  // Other joins would read the rows in their physical order.
  for (const plan of ['hashjoin', 'mergejoin', 'seqscan'])
    await sql`set local ${sql.raw(`enable_${plan}`)} = off`.execute(db)
  for (const [table, ids] of lists) {
    await sql`update ${sql.table(table)} as t set version = t.version
      from (select id from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as id order by random()) as r
      where t.id = r.id`.execute(db)
  }
}
