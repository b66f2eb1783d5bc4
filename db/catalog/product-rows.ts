import type { GridPage } from '#domain/grid.ts'
import { decimalFromCents } from '#domain/money.ts'
import { isPrivatePath } from '#domain/catalog/product-pictures.ts'
import type { ProductQuery, ProductRow } from '#domain/catalog/variant-grid.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db } from '../engine/client.ts'
import { countRows } from '../engine/count-rows.ts'
import { keysetPage } from '../engine/keyset.ts'
import { isOneOf } from '../engine/sql.ts'
import { readForms } from './products.ts'

/** The indexed expressions of migration 0016. */
const sortTerms: Readonly<Record<ProductQuery['sort'], RawBuilder<string | number>>> = {
  name: sql`sort_name`,
  price: sql`coalesce(price_min_cents, -1)`,
  variants: sql`variant_count`,
  newest: sql`id`,
}

const columns = [
  'id',
  'name',
  'description',
  'image',
  'imageCopy',
  'category',
  'route',
  'dosageForms',
  'controlledSchedule',
  'variantCount',
  'inStock',
  'priceMinCents',
  'priceMaxCents',
  'version',
  sql<string | null>`(select problem from picture_fetches
    where picture_fetches.product_id = products.id and due_at is null)`.as('pictureProblem'),
] as const

const toRow = ({
  priceMinCents,
  priceMaxCents,
  dosageForms,
  ...row
}: Omit<ProductRow, 'priceMin' | 'priceMax' | 'forms'> & {
  dosageForms: string
  priceMinCents: number | null
  priceMaxCents: number | null
}): ProductRow => ({
  ...row,
  // Pages show the illustration, so the dialog must not request this path, nor undo restore it.
  image: row.image !== null && isPrivatePath(row.image) ? null : row.image,
  forms: readForms(dosageForms),
  priceMin: priceMinCents === null ? null : decimalFromCents(priceMinCents),
  priceMax: priceMaxCents === null ? null : decimalFromCents(priceMaxCents),
})

/**
 * A page of the matching products.
 * @param ids the ids that a search found; null without a search
 */
export async function listProductRows(
  db: Db,
  query: ProductQuery,
  ids: readonly string[] | null,
): Promise<GridPage<ProductRow>> {
  const conditions: RawBuilder<SqlBool>[] = [sql`deleted_at is null`]
  if (query.category !== undefined) conditions.push(sql`category = ${query.category}`)
  if (query.stock !== undefined) conditions.push(query.stock === 'in' ? sql`in_stock` : sql`not in_stock`)
  if (ids) conditions.push(isOneOf(db, 'id', sql`${JSON.stringify(ids)}`))
  const matching = db.selectFrom('products').where(sql<SqlBool>`${sql.join(conditions, sql` and `)}`)
  const page = await keysetPage(
    matching.select(columns),
    { by: sortTerms[query.sort], id: sql`id` },
    query,
    countRows(db, matching),
  )
  return { ...page, rows: page.rows.map(toRow) }
}

/** A product as the grid shows it, or null. */
export async function findProductRow(db: Db, id: string): Promise<ProductRow | null> {
  const row = await db
    .selectFrom('products')
    .select(columns)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row ? toRow(row) : null
}
