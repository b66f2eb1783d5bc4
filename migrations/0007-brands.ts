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

type Spelling = {
  productId: string
  brandName: string
  variantId: string
  variants: number
  standing: number
}

/** Far below the parameters that one statement takes, at five a row. */
const rowsPerInsert = 500

/** The shop's brands as they are now. What folds a name is written out: what the shop does later is not for this. */
async function listBrandsOfProducts(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<Spelling>`
    select product_id, brand_name, id as variant_id, variants, standing from (
      select v.id, v.product_id, v.brand_name,
        (case when v.in_stock then 4 else 0 end) + (case when v.price_cents > 0 then 2 else 0 end)
          + (case when v.dosage_form is null then 0 else 1 end) as standing,
        count(*) over (partition by v.product_id, v.brand_name) as variants,
        row_number() over (
          partition by v.product_id, v.brand_name
          order by case when v.in_stock then 0 else 1 end, case when v.price_cents > 0 then 0 else 1 end,
            case when v.dosage_form is null then 1 else 0 end, v.id
        ) as place
      from product_variants v
      join products p on p.id = v.product_id and p.deleted_at is null
      where v.deleted_at is null and v.brand_name <> ''
    ) best
    where place = 1
    order by product_id, brand_name`.execute(db)
  const brands = new Map<string, Spelling & { key: string; label: string; most: number }>()
  for (const spelling of rows) {
    const key = keyOf(spelling.brandName)
    if (key === '') continue
    const place = `${spelling.productId} ${key}`
    const known = brands.get(place)
    const { variants } = spelling
    if (!known) {
      brands.set(place, { ...spelling, key, label: spelling.brandName, most: variants })
      continue
    }
    if (variants >= known.most) Object.assign(known, { label: spelling.brandName, most: variants })
    if (spelling.standing > known.standing) {
      Object.assign(known, { variantId: spelling.variantId, standing: spelling.standing })
    }
  }
  const all = [...brands.values()]
  for (let i = 0; i < all.length; i += rowsPerInsert) {
    const values = all
      .slice(i, i + rowsPerInsert)
      .map(
        ({ key, productId, label, variantId }) =>
          sql`(${key}, ${productId}, ${/^[a-z]/.test(key) ? key.charAt(0).toUpperCase() : 'other'}, ${label}, ${variantId})`,
      )
    await sql`insert into product_brands (brand_key, product_id, letter, label, variant_id) values ${sql.join(values)}`.execute(
      db,
    )
  }
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
