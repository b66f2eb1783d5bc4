import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { containsPattern, isOneOf } from '../engine/sql.ts'

/** Names that no list has, those of most products first, after a position in that order. */
export async function listUnknownNames(
  db: Db,
  { after, limit }: { after: { products: number; name: string } | null; limit: number },
): Promise<{ name: string; products: number }[]> {
  let query = db
    .selectFrom('unknownIngredientNames')
    .innerJoin('products', 'products.id', 'unknownIngredientNames.productId')
    .select(['unknownIngredientNames.name', (eb) => eb.fn.countAll<number>().as('products')])
    .where('products.deletedAt', 'is', null)
    .groupBy('unknownIngredientNames.name')
    .orderBy('products', 'desc')
    .orderBy('unknownIngredientNames.name')
    .limit(limit)
  if (after)
    query = query.having(
      sql<boolean>`(-count(*), unknown_ingredient_names.name) > (${sql.lit(-after.products)}, ${after.name})`,
    )
  return query.execute()
}

/** Some products on sale that have each of these names, by name. */
export async function listProductsOfNames(
  db: Db,
  names: readonly string[],
  limit: number,
): Promise<{ name: string; productId: string; productName: string }[]> {
  const { rows } = await sql<{ name: string; productId: string; productName: string }>`
    select name, product_id as "productId", product_name as "productName" from (
      select u.name, p.id as product_id, p.name as product_name,
        row_number() over (partition by u.name order by p.sort_name, p.id) as position
      from unknown_ingredient_names u join products p on p.id = u.product_id
      where p.deleted_at is null and ${isOneOf(db, 'u.name', sql`${JSON.stringify(names)}`)}
    ) named where position <= ${sql.lit(limit)} order by name, position`.execute(db)
  return rows
}

export async function countUnknownNames(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('unknownIngredientNames')
    .innerJoin('products', 'products.id', 'unknownIngredientNames.productId')
    .select((eb) => eb.fn.count<number>('unknownIngredientNames.name').distinct().as('count'))
    .where('products.deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Whether any list has this ingredient. */
export async function ingredientExists(db: Db, ingredient: string): Promise<boolean> {
  const found = await db
    .selectFrom('careIngredients')
    .select('ingredient')
    .where('ingredient', '=', ingredient)
    .union(db.selectFrom('careIngredientNames').select('ingredient').where('ingredient', '=', ingredient))
    .executeTakeFirst()
  return found !== undefined
}

/** What catalog managers decided, the newest first. */
export const listNameDecisions = (db: Db, limit: number) =>
  db
    .selectFrom('shopIngredientNames')
    .select(['name', 'ingredient', 'updatedAt'])
    .orderBy('updatedAt', 'desc')
    .orderBy('name')
    .limit(limit)
    .execute()

/** Returns false when another manager has decided about the name. */
export async function insertNameDecision(
  db: Db,
  decision: { name: string; ingredient: string | null; updatedBy: string; updatedAt: Date },
): Promise<boolean> {
  const inserted = await db
    .insertInto('shopIngredientNames')
    .values(decision)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .execute()
  return inserted.length > 0
}

/** Returns false when it was already undone. */
export async function deleteNameDecision(db: Db, name: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('shopIngredientNames')
    .where('name', '=', name)
    .returning('name')
    .execute()
  return deleted.length > 0
}

/** Products whose ingredients, or else name, contain this name. */
export async function listProductsWithName(db: Db, name: string): Promise<string[]> {
  const pattern = containsPattern(name.toLowerCase())
  const { rows } = await sql<{ id: string }>`select id from products
    where lower(coalesce(ingredients, name)) like ${pattern} escape '\\'
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}
