import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** The brands of each product, for the page that lists them all; and what a sitemap reads of a product. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('product_brands')
    .addColumn('brand_key', text, (col) => col.notNull())
    .addColumn('product_id', text, (col) => col.notNull().references('products.id').onDelete('cascade'))
    // A to Z, else 'other', which sorts after them.
    .addColumn('letter', text, (col) => col.notNull())
    .addColumn('label', text, (col) => col.notNull())
    .addColumn('variant_id', text, (col) =>
      col.notNull().references('product_variants.id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('product_brands_pk', ['brand_key', 'product_id'])
    .execute()
  await db.schema
    .createIndex('product_brands_by_letter')
    .on('product_brands')
    .columns(['letter', 'brand_key'])
    .execute()
  for (const column of ['product_id', 'variant_id'])
    await db.schema
      .createIndex(`product_brands_by_${column.replace('_id', '')}`)
      .on('product_brands')
      .column(column)
      .execute()

  await sql`create index products_by_id on products (id, updated_at, version) where deleted_at is null`.execute(
    db,
  )
  await listBrandsOfProducts(db)
}

type Variant = { id: string; productId: string; brandName: string; standing: number }

/** Far below the parameters that one statement takes, at five a row. */
const rowsPerInsert = 500

/** The shop's brands as they are now. What folds a name is written out: what the shop does later is not for this. */
async function listBrandsOfProducts(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<Variant>`
    select v.id, v.product_id, v.brand_name,
      (case when v.in_stock then 4 else 0 end) + (case when v.price_cents > 0 then 2 else 0 end)
        + (case when v.dosage_form is null then 0 else 1 end) as standing
    from product_variants v
    join products p on p.id = v.product_id and p.deleted_at is null
    where v.deleted_at is null and v.brand_name <> ''
    order by v.id`.execute(db)
  const brands = new Map<string, { key: string; best: Variant; spellings: Map<string, number> }>()
  for (const variant of rows) {
    const key = keyOf(variant.brandName)
    if (key === '') continue
    const place = `${variant.productId} ${key}`
    const brand = brands.get(place) ?? { key, best: variant, spellings: new Map<string, number>() }
    brands.set(place, brand)
    brand.spellings.set(variant.brandName, (brand.spellings.get(variant.brandName) ?? 0) + 1)
    if (variant.standing > brand.best.standing) brand.best = variant
  }
  const all = [...brands.values()]
  for (let i = 0; i < all.length; i += rowsPerInsert) {
    const values = all
      .slice(i, i + rowsPerInsert)
      .map(
        ({ key, best, spellings }) =>
          sql`(${key}, ${best.productId}, ${letterOf(key)}, ${mostCommon(spellings)}, ${best.id})`,
      )
    await sql`insert into product_brands (brand_key, product_id, letter, label, variant_id) values ${sql.join(values)}`.execute(
      db,
    )
  }
}

const letterOf = (key: string): string => (/^[a-z]/.test(key) ? key.charAt(0).toUpperCase() : 'other')

function mostCommon(spellings: ReadonlyMap<string, number>): string {
  let [label, most] = ['', 0]
  for (const [spelling, count] of spellings)
    if (count > most || (count === most && spelling > label)) [label, most] = [spelling, count]
  return label
}

const keyOf = (name: string): string =>
  (
    name
      .toWellFormed()
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim() || name.trim()
  )
    .slice(0, 200)
    .toWellFormed()
