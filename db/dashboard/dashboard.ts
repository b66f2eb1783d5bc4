import { lowStock } from '#domain/inventory/inventory.ts'
import {
  countLimit,
  type LowStock,
  type ProductSales,
  type TopMedicine,
} from '#domain/dashboard/dashboard.ts'
import { sql } from 'kysely'
import { productKind } from '#domain/catalog/catalog.ts'
import { perCatalog } from '../catalog/catalog-memo.ts'
import { readForms } from '../catalog/products.ts'
import type { Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

/** Adds their names and kinds to products. */
export async function nameProducts(db: Db, sales: readonly ProductSales[]): Promise<TopMedicine[]> {
  const ids = sales.map(({ productId }) => productId)
  const rows = await db
    .selectFrom('products')
    .select(['id', 'name', 'route', 'dosageForms'])
    .where(isOneOf(db, 'id', sql`${JSON.stringify(ids)}`))
    .execute()
  const names = new Map(
    rows.map(({ id, name, route, dosageForms }) => [
      id,
      { name, kind: productKind({ route, forms: readForms(dosageForms), category: '' }) },
    ]),
  )
  return sales.map((product) => ({ ...product, ...(names.get(product.productId) ?? { name: '', kind: '' }) }))
}

const lowStockVariants = (db: Db) =>
  db
    .selectFrom('productVariants')
    // Repeats the condition of the partial index of migration 0014, which another `lowStock` would
    // need to replace.
    .where(
      sql<boolean>`product_variants.deleted_at is null and track_inventory and stock_quantity <= ${sql.lit(lowStock)}`,
    )

async function countLowStock(db: Db, isEmpty: boolean): Promise<number> {
  const limited = lowStockVariants(db)
    .select('id')
    .where('stockQuantity', isEmpty ? '=' : '>', sql.lit(0))
    .limit(countLimit + 1)
  const { count } = await db
    .selectFrom(limited.as('some'))
    .select(sql<number>`cast(count(*) as integer)`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const listLowStockRows = (db: Db, isEmpty: boolean, limit: number) =>
  lowStockVariants(db)
    .innerJoin('products', 'products.id', 'productVariants.productId')
    .select([
      'productVariants.id as variantId',
      'products.name',
      'brandName',
      'strength',
      'strengthUnit',
      'packageSize',
      'packageUnit',
      'stockQuantity',
    ])
    .where('stockQuantity', isEmpty ? '=' : '>', sql.lit(0))
    .orderBy('stockQuantity')
    .orderBy('productVariants.id')
    .limit(limit)
    .execute()

/** Variants with low stock, lowest first, then those out of stock. */
export async function getLowStock(db: Db, limit: number): Promise<LowStock> {
  const [lowCount, outOfStockCount, rows] = await Promise.all([
    countLowStock(db, false),
    countLowStock(db, true),
    listLowStockRows(db, false, limit),
  ])
  const outOfStock = rows.length < limit ? await listLowStockRows(db, true, limit - rows.length) : []
  return { lowCount, outOfStockCount, rows: [...rows, ...outOfStock] }
}

/** How many products are not deleted. It is counted once a change of the catalog. */
export const countActiveProducts = perCatalog(async (db): Promise<number> => {
  const { count } = await db
    .selectFrom('products')
    .select(sql<number>`cast(count(*) as integer)`.as('count'))
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
})
