import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db } from '../engine/client.ts'
import { containsPattern, isOneOf } from '../engine/sql.ts'

/** All displayed text of a variant in lower case, to search for words in. */
const searchableText = sql`lower(p.name || ' ' || coalesce(v.brand_name, 'generic') || ' ' || v.generic_name || ' ' || coalesce(m.name, '')
  || ' ' || v.strength || v.strength_unit || ' ' || v.strength || ' ' || v.strength_unit || ' ' || coalesce(v.dosage_form, '')
  || ' ' || v.package_size || ' ' || v.package_unit)`

const hasWord = (word: string): RawBuilder<SqlBool> =>
  sql`shown.text like ${containsPattern(word)} escape '\\'`

type VariantTextFilter = {
  productIds: readonly string[]
  manufacturerIds: readonly string[]
  /** Lower case. */
  words: readonly string[]
  /** The most variants examined for the manufacturers. */
  limit: number
}

/**
 * The variants of these products and manufacturers whose text contains each of the words, in no
 * order.
 */
export async function findVariantsByWords(
  db: Db,
  { productIds, manufacturerIds, words, limit }: VariantTextFilter,
): Promise<{ id: string; productId: string }[]> {
  const among = (column: string, ids: readonly string[]): RawBuilder<unknown> =>
    sql`select id from product_variants where deleted_at is null and ${isOneOf(db, column, sql`${JSON.stringify(ids)}`)}`
  const { rows } = await sql<{ id: string; productId: string }>`
    with shown as materialized (
      select v.id, v.product_id, ${searchableText} as text
      from (${among('product_id', productIds)} union
        select id from (${among('manufacturer_id', manufacturerIds)} limit ${limit}) made) c
      cross join product_variants v cross join products p left join manufacturers m on m.id = v.manufacturer_id
      where v.id = c.id and p.id = v.product_id)
    select id, product_id as "productId" from shown ${words.length > 0 ? sql`where ${sql.join(words.map(hasWord), sql` and `)}` : sql``}`.execute(
    db,
  )
  return rows
}

/** The number of variants of these products, by id. */
export async function countVariants(db: Db, productIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('products')
    .select(['id', 'variantCount'])
    .where(isOneOf(db, 'id', sql`${JSON.stringify(productIds)}`))
    .execute()
  return new Map(rows.map(({ id, variantCount }) => [id, variantCount]))
}
