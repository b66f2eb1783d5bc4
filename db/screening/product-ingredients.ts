import type { NameRow, ProductTexts } from '#domain/screening/product-ingredients.ts'
import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { jsonRows } from '../engine/json-rows.ts'
import { isOneOf } from '../engine/sql.ts'

const json = (list: readonly string[]) => sql<string>`${JSON.stringify(list)}`

/** What is known of these names (upper case) and moieties (lower case), in one statement. */
export async function findNameRows(
  db: Db,
  { names, moieties }: { names: readonly string[]; moieties: readonly string[] },
): Promise<NameRow[]> {
  const list = json(names)
  const { rows } = await sql<NameRow>`
    select 'shop' as kind, name as key, ingredient, 0 as products from shop_ingredient_names
      where ${isOneOf(db, 'name', list)}
    union all select 'name', name, ingredient, products from care_ingredient_names
      where ${isOneOf(db, 'name', list)}
    union all select 'ingredient', ingredient, ingredient, 0 from care_ingredients
      where ${isOneOf(db, 'ingredient', list)}
    union all select 'moiety', moiety, ingredient, products from care_ingredient_names
      where ${isOneOf(db, 'moiety', json(moieties))}`.execute(db)
  return rows
}

/** A product's texts. An admin's product has no catalog key. */
export type ProductRow = ProductTexts & { id: string; catalogKey: string | null }

/** These products, also deleted ones, which orders still name. */
export const findProductTexts = (db: Db, ids: readonly string[]): Promise<ProductRow[]> =>
  db
    .selectFrom('products')
    .select(['id', 'name', 'ingredients', 'catalogKey'])
    .where(isOneOf(db, 'id', json(ids)))
    .execute()

/** The different names and ingredients of the products in the catalog, and how many have them. */
export const countProductTexts = (db: Db) =>
  db
    .selectFrom('products')
    .select(({ fn }) => ['name', 'ingredients', fn.countAll<number>().as('count')])
    .where('deletedAt', 'is', null)
    .groupBy(['name', 'ingredients'])
    .execute()

/** All products after one, ordered by id. */
export const listProductTexts = (
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<ProductRow[]> =>
  db
    .selectFrom('products')
    .select(['id', 'name', 'ingredients', 'catalogKey'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/**
 * Products after one that have neither ingredients nor unknown names, ordered by id. With `not in`,
 * Postgres would compare each product with every row once those exceed its memory for a hash.
 */
export const listProductsWithoutSets = (
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string }[]> =>
  db
    .selectFrom('products')
    .leftJoin('productIngredients as known', 'known.productId', 'products.id')
    .leftJoin('unknownIngredientNames as unknown', 'unknown.productId', 'products.id')
    .select('products.id')
    .where('products.id', '>', after)
    .where('known.productId', 'is', null)
    .where('unknown.productId', 'is', null)
    .orderBy('products.id')
    .limit(limit)
    .execute()

/** The stored ingredients and unknown names of these products. */
export async function loadIngredientRows(
  db: Db,
  ids: readonly string[],
): Promise<{ productId: string; kind: 'ingredient' | 'unknown'; value: string }[]> {
  const { rows } = await sql<{ productId: string; kind: 'ingredient' | 'unknown'; value: string }>`
    select product_id as "productId", 'ingredient' as kind, ingredient as value from product_ingredients
      where ${isOneOf(db, 'product_id', json(ids))}
    union all select product_id, 'unknown', name from unknown_ingredient_names
      where ${isOneOf(db, 'product_id', json(ids))}`.execute(db)
  return rows
}

type Pair = { productId: string; value: string }

const tables = {
  ingredient: { table: 'product_ingredients', column: 'ingredient' },
  unknown: { table: 'unknown_ingredient_names', column: 'name' },
} as const

/** Removes and adds rows. An added row may exist already: another transaction found the same. */
export async function changeIngredientRows(
  db: Db,
  kind: keyof typeof tables,
  { removed, added }: { removed: readonly Pair[]; added: readonly Pair[] },
): Promise<void> {
  const { table, column } = tables[kind]
  const listOf = (pairs: readonly Pair[]) =>
    jsonRows(
      db,
      pairs.map(({ productId, value }) => ({ product_id: productId, value })),
      { product_id: 'text', value: 'text' },
    )
  if (removed.length > 0)
    await sql`delete from ${sql.table(table)}
      where (product_id, ${sql.ref(column)}) in (select r.product_id, r.value from ${listOf(removed)})`.execute(
      db,
    )
  if (added.length > 0)
    await sql`insert into ${sql.table(table)} (product_id, ${sql.ref(column)})
      select r.product_id, r.value from ${listOf(added)} where true on conflict do nothing`.execute(db)
}

/**
 * How many packages on sale have only known ingredients, by the country of their directory.
 * Packages without an NDC or a DIN are not counted.
 */
export async function countKnownPackages(
  db: Db,
): Promise<{ country: 'US' | 'CA'; all: number; known: number }[]> {
  const { rows } = await sql<{ country: 'US' | 'CA'; all: number; known: number }>`
    select country, sum(packages) as "all", sum(case when is_known then packages else 0 end) as "known"
    from (
      select v.product_id, case when v.ndc is null then 'CA' else 'US' end as country, count(*) as packages,
        exists (select 1 from product_ingredients i where i.product_id = v.product_id)
          and not exists (select 1 from unknown_ingredient_names u where u.product_id = v.product_id) as is_known
      from product_variants v
      where v.deleted_at is null and (v.ndc is not null or v.din is not null)
      group by v.product_id, case when v.ndc is null then 'CA' else 'US' end
    ) counted
    group by country order by country desc`.execute(db)
  return rows.map(({ country, all, known }) => ({ country, all, known }))
}
