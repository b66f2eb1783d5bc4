import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'

/** Tracked variants that anybody may buy, spread over the catalogue: what seeded orders are of. */
export async function listSellableVariants(db: Db, category: 'Rx' | 'OTC', limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('productVariants')
    .innerJoin('products', 'products.id', 'productVariants.productId')
    .select('productVariants.id')
    .where('products.category', '=', category)
    .where('products.controlledSchedule', 'is', null)
    .where('products.deletedAt', 'is', null)
    .where('productVariants.deletedAt', 'is', null)
    .where('productVariants.priceCents', '>', 0)
    .where('productVariants.trackInventory', '=', true)
    // The end of an id is random: the same few of a large catalogue each time, of no product in particular.
    .orderBy(sql`substr(product_variants.id, 25)`)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
