import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'

/**
 * Tracked variants that can be bought without restrictions, spread over the catalog, for seeded
 * orders.
 */
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
    // The end of an id is random: the same few variants each time, of unrelated products.
    .orderBy(sql`substr(product_variants.id, 25)`)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether a variant of the demo catalog is still sold. */
export async function isForSale(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('productVariants')
    .select('id')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
