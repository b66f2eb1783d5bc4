import { brandKey, brandLetter } from '#domain/brands.ts'
import { sql } from 'kysely'
import type { Db } from './client.ts'
import { jsonRows } from './json-rows.ts'
import type { ProductBrandsTable } from './schema/product-brands.ts'
import { isOneOf } from './sql.ts'

/** Which of some variants is shown for all of them: what is in stock, has a price, states its form, is the oldest. */
export const bestVariantFirst = sql`case when in_stock then 0 else 1 end, case when price_cents > 0 then 0 else 1 end,
  case when dosage_form is null then 1 else 0 end, id`

/** One way of writing a brand among a product's variants, with the best of those; 7 is the best standing. */
type Spelling = {
  productId: string
  brandName: string
  variantId: string
  variants: number
  standing: number
}

/**
 * Writes under which brands some products are sold, from their live variants; a deleted product is under none. Part of
 * refreshProductSummaries, which is what an edit calls.
 */
export async function refreshProductBrands(db: Db, productIds: readonly string[]): Promise<void> {
  const ids = sql<string>`${JSON.stringify(productIds)}`
  const wanted = new Map(
    brandsAmong(await loadSpellings(db, productIds)).map((brand) => [placeOf(brand), brand]),
  )
  const known = await db
    .selectFrom('productBrands')
    .selectAll()
    .where(isOneOf(db, 'productId', ids))
    .execute()
  for (const brand of known) {
    const now = wanted.get(placeOf(brand))
    if (now?.label === brand.label && now.variantId === brand.variantId) wanted.delete(placeOf(brand))
    if (now) continue
    await db
      .deleteFrom('productBrands')
      .where('brandKey', '=', brand.brandKey)
      .where('productId', '=', brand.productId)
      .execute()
  }
  // What is left is new, or written otherwise by now.
  if (wanted.size === 0) return
  const list = jsonRows(
    db,
    [...wanted.values()].map((brand) => ({
      brand_key: brand.brandKey,
      product_id: brand.productId,
      letter: brand.letter,
      label: brand.label,
      variant_id: brand.variantId,
    })),
    { brand_key: 'text', product_id: 'text', letter: 'text', label: 'text', variant_id: 'text' },
  )
  await sql`
    insert into product_brands (brand_key, product_id, letter, label, variant_id)
    select r.brand_key, r.product_id, r.letter, r.label, r.variant_id from ${list}
    where true on conflict (brand_key, product_id)
    do update set label = excluded.label, variant_id = excluded.variant_id`.execute(db)
}

const placeOf = ({ brandKey: key, productId }: Pick<ProductBrandsTable, 'brandKey' | 'productId'>): string =>
  `${productId} ${key}`

async function loadSpellings(db: Db, productIds: readonly string[]): Promise<Spelling[]> {
  const { rows } = await sql<Spelling>`
    select product_id, brand_name, id as variant_id, variants,
      (case when in_stock then 4 else 0 end) + (case when price_cents > 0 then 2 else 0 end)
        + (case when dosage_form is null then 0 else 1 end) as standing
    from (
      select id, product_id, brand_name, in_stock, price_cents, dosage_form,
        count(*) over (partition by product_id, brand_name) as variants,
        row_number() over (partition by product_id, brand_name order by ${bestVariantFirst}) as place
      from product_variants
      where ${isOneOf(db, 'product_id', sql`${JSON.stringify(productIds)}`)}
        and deleted_at is null and brand_name <> ''
    ) best
    where place = 1
      and exists (select 1 from products where products.id = product_id and products.deleted_at is null)
    order by product_id, brand_name`.execute(db)
  return rows
}

/** The spellings that are one brand become one row: the most common label, capitals last, and the best variant. */
function brandsAmong(spellings: readonly Spelling[]): ProductBrandsTable[] {
  const brands = new Map<string, { row: ProductBrandsTable; variants: number; standing: number }>()
  for (const { productId, brandName, variantId, variants, standing } of spellings) {
    const key = brandKey(brandName)
    if (key === '') continue
    const row = { brandKey: key, productId, letter: brandLetter(key), label: brandName, variantId }
    const known = brands.get(placeOf(row))
    if (!known) {
      brands.set(placeOf(row), { row, variants, standing })
      continue
    }
    if (variants >= known.variants) {
      known.row.label = brandName
      known.variants = variants
    }
    if (standing > known.standing) {
      known.row.variantId = variantId
      known.standing = standing
    }
  }
  return [...brands.values()].map(({ row }) => row)
}
