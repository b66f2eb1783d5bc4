import type { DosageForm } from '#domain/catalog/catalog.ts'
import { sql } from 'kysely'
import { getEngine, type Db } from '../engine/client.ts'
import { jsonRows, timestamp } from '../engine/json-rows.ts'
import { isOneOf } from '../engine/sql.ts'

/** Some of the touched products that no other transaction has taken, ordered by id. */
export async function takeTouched(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('catalogTouched')
    .select('productId')
    .orderBy('productId')
    .limit(limit)
    // SQLite has one writer.
    .$if(getEngine(db) === 'postgres', (query) => query.forUpdate().skipLocked())
    .execute()
  return rows.map(({ productId }) => productId)
}

export async function countTouched(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('catalogTouched')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function clearTouched(db: Db, productIds: readonly string[]): Promise<void> {
  await sql`delete from catalog_touched where ${isOneOf(db, 'product_id', sql`${JSON.stringify(productIds)}`)}`.execute(
    db,
  )
}

export type TouchedVariant = {
  id: string
  productId: string
  catalogKey: string | null
  catalogDigest: string | null
  brandName: string | null
  strength: string
  strengthUnit: string
  dosageForm: DosageForm | null
  packageSize: number
  packageUnit: string
  labelForm: string | null
  linkedVariantId: string | null
  controlledSchedule: string | null
}

/** The live variants of these products, ordered by product and key. */
export async function loadTouchedVariants(db: Db, productIds: readonly string[]): Promise<TouchedVariant[]> {
  return db
    .selectFrom('productVariants')
    .select([
      'id',
      'productId',
      'catalogKey',
      'catalogDigest',
      'brandName',
      'strength',
      'strengthUnit',
      'dosageForm',
      'packageSize',
      'packageUnit',
      'labelForm',
      'linkedVariantId',
      'controlledSchedule',
    ])
    .where('deletedAt', 'is', null)
    .where(isOneOf(db, 'productId', sql`${JSON.stringify(productIds)}`))
    .orderBy('productId')
    .orderBy('catalogKey')
    .execute()
}

export type TouchedProduct = {
  id: string
  category: 'Rx' | 'OTC'
  ingredients: string | null
  route: string | null
  drugClass: string | null
  catalogKey: string | null
  controlledSchedule: string | null
  description: string | null
  catalogDescription: string | null
}

export async function loadTouchedProducts(db: Db, productIds: readonly string[]): Promise<TouchedProduct[]> {
  return db
    .selectFrom('products')
    .select([
      'id',
      'category',
      'ingredients',
      'route',
      'drugClass',
      'catalogKey',
      'controlledSchedule',
      'description',
      'catalogDescription',
    ])
    .where(isOneOf(db, 'id', sql`${JSON.stringify(productIds)}`))
    .execute()
}

/** Links variants to their generics. Null removes a link. */
export async function saveLinks(
  db: Db,
  links: readonly { id: string; linkedVariantId: string | null }[],
  now: Date,
): Promise<void> {
  if (links.length === 0) return
  const list = jsonRows(
    db,
    links.map((link) => ({ id: link.id, linked: link.linkedVariantId })),
    {
      id: 'text',
      linked: 'text',
    },
  )
  await sql`
    update product_variants set linked_variant_id = r.linked, version = version + 1, updated_at = ${timestamp(db, now)}
    from ${list} where product_variants.id = r.id`.execute(db)
}

/** Writes schedules and descriptions of products. */
export async function saveProductTexts(
  db: Db,
  products: readonly {
    id: string
    controlledSchedule: string | null
    description: string | null
    catalogDescription: string | null
  }[],
  now: Date,
): Promise<void> {
  if (products.length === 0) return
  const list = jsonRows(
    db,
    products.map((product) => ({
      id: product.id,
      schedule: product.controlledSchedule,
      description: product.description,
      written: product.catalogDescription,
    })),
    { id: 'text', schedule: 'text', description: 'text', written: 'text' },
  )
  await sql`
    update products set controlled_schedule = r.schedule, description = r.description,
      catalog_description = r.written, version = version + 1, updated_at = ${timestamp(db, now)}
    from ${list} where products.id = r.id`.execute(db)
}

/**
 * Rewrites the names of these products: the product's own and those in its live variants' directory
 * rows. Products with variants that no directory made keep their other names.
 */
export async function refreshProductNames(db: Db, productIds: readonly string[]): Promise<void> {
  const ids = sql<string>`${JSON.stringify(productIds)}`
  await sql`
    delete from product_names
    where ${isOneOf(db, 'product_id', ids)} and product_id not in (
      select product_id from product_variants
      where ${isOneOf(db, 'product_id', ids)} and deleted_at is null and catalog_names is null
    )`.execute(db)
  const names =
    getEngine(db) === 'postgres'
      ? sql`cross join lateral jsonb_array_elements(v.catalog_names) as n(value)`
      : sql`join json_each(v.catalog_names) as n`
  await sql`
    insert into product_names (name_key, product_id, kind, label)
    select name_key, product_id, kind, min(label) from (
      select p.sort_name as name_key, p.id as product_id, 'product' as kind, p.name as label
      from products p where ${isOneOf(db, 'p.id', ids)}
      union all
      select n.value ->> 2, v.product_id, n.value ->> 0, n.value ->> 1
      from (
        select distinct product_id, catalog_names from product_variants
        where ${isOneOf(db, 'product_id', ids)} and deleted_at is null
      ) v
      ${names}
    ) named
    group by name_key, product_id, kind
    on conflict (name_key, product_id, kind) do update set label = excluded.label
    where product_names.label <> excluded.label`.execute(db)
}
