import type { Db } from '#db/engine/client.ts'

export type AvailableVariant = {
  productId: string
  variantId: string
  name: string
  priceCents: number
  stock: number
}

/** Available variants of the demo catalog with 50 or more in stock, sorted by product name. */
export async function findAvailableVariants(
  db: Db,
  category: 'OTC' | 'Rx' = 'OTC',
): Promise<[AvailableVariant, AvailableVariant, ...AvailableVariant[]]> {
  const rows = await db
    .selectFrom('productVariants as v')
    .innerJoin('products as p', 'p.id', 'v.productId')
    .select(['p.id as productId', 'v.id as variantId', 'p.name', 'v.priceCents', 'v.stockQuantity as stock'])
    .where('p.category', '=', category)
    .where('p.controlledSchedule', 'is', null)
    .where('v.inStock', '=', true)
    .where('v.stockQuantity', '>=', 50)
    .where('v.priceCents', '>', 0)
    .orderBy('p.sortName')
    .orderBy('v.id')
    .execute()
  const [first, second, ...others] = rows.map((row) => ({ ...row, priceCents: row.priceCents ?? 0 }))
  if (!first || !second) throw new Error('The demo catalog has too few available variants.')
  return [first, second, ...others]
}

/** A variant of the demo catalog that is out of stock. */
export async function findOutOfStockVariant(db: Db): Promise<{ productId: string; variantId: string }> {
  return db
    .selectFrom('productVariants')
    .select(['productId', 'id as variantId'])
    .where('inStock', '=', false)
    .where('priceCents', '>', 0)
    .orderBy('id')
    .executeTakeFirstOrThrow()
}
