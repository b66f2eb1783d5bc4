import { brandKey, brandLetter } from '#domain/catalog/brands.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../engine/client.ts'
import { jsonRows } from '../engine/json-rows.ts'
import type { ProductBrandsTable } from '../schema/product-brands.ts'
import { isOneOf } from '../engine/sql.ts'

/**
 * The variant that represents a product or brand: in stock, with a price, with a stated form,
 * oldest.
 */
export const bestVariantFirst = sql`case when in_stock then 0 else 1 end, case when price_cents > 0 then 0 else 1 end,
  case when dosage_form is null then 1 else 0 end, id`

/** A live variant with a brand, with the values it is compared by. */
type BrandedVariant = {
  id: string
  productId: string
  brandName: string
  inStock: boolean
  priceCents: number | null
  dosageForm: string | null
}

/**
 * Writes the brands of these products from their live variants. A deleted product has none. Called
 * by refreshProductSummaries, which edits call.
 */
export async function refreshProductBrands(db: Db, productIds: readonly string[]): Promise<void> {
  const ids = sql<string>`${JSON.stringify(productIds)}`
  const pending = new Map(brandsAmong(await loadBranded(db, ids)).map((brand) => [rowKey(brand), brand]))
  const stored = await db
    .selectFrom('productBrands')
    .selectAll()
    .where(isOneOf(db, 'productId', ids))
    .execute()
  for (const brand of stored) {
    const current = pending.get(rowKey(brand))
    if (current?.label === brand.label && current.variantId === brand.variantId) pending.delete(rowKey(brand))
    if (current) continue
    await db
      .deleteFrom('productBrands')
      .where('brandKey', '=', brand.brandKey)
      .where('productId', '=', brand.productId)
      .execute()
  }
  // What remains is new or changed.
  if (pending.size === 0) return
  const list = jsonRows(
    db,
    [...pending.values()].map((brand) => ({
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

const rowKey = ({ brandKey: key, productId }: Pick<ProductBrandsTable, 'brandKey' | 'productId'>): string =>
  `${productId} ${key}`

async function loadBranded(db: Db, ids: RawBuilder<string>): Promise<BrandedVariant[]> {
  const { rows } = await sql<BrandedVariant>`
    select id, product_id, brand_name, in_stock, price_cents, dosage_form
    from product_variants
    where ${isOneOf(db, 'product_id', ids)} and deleted_at is null and brand_name <> ''
      and exists (select 1 from products where products.id = product_id and products.deleted_at is null)
    order by id`.execute(db)
  return rows
}

/** Ranks a variant as in `bestVariantFirst`. Among equals the oldest represents the brand. */
const rankVariant = ({ inStock, priceCents, dosageForm }: BrandedVariant): number =>
  (inStock ? 4 : 0) + ((priceCents ?? 0) > 0 ? 2 : 0) + (dosageForm === null ? 0 : 1)

/**
 * One row per brand: the most common spelling (of equals, the one with fewer capitals) and the best
 * variant.
 */
function brandsAmong(variants: readonly BrandedVariant[]): ProductBrandsTable[] {
  const keys = new Map<string, string>()
  const brands = new Map<string, { best: BrandedVariant; key: string; spellings: Map<string, number> }>()
  for (const variant of variants) {
    const { productId, brandName } = variant
    // Folded once per spelling: a brand may have a hundred packages.
    const key = keys.get(brandName) ?? brandKey(brandName)
    keys.set(brandName, key)
    if (key === '') continue
    const mapKey = rowKey({ brandKey: key, productId })
    const stored = brands.get(mapKey)
    if (!stored) {
      brands.set(mapKey, { best: variant, key, spellings: new Map([[brandName, 1]]) })
      continue
    }
    stored.spellings.set(brandName, (stored.spellings.get(brandName) ?? 0) + 1)
    if (rankVariant(variant) > rankVariant(stored.best)) stored.best = variant
  }
  return [...brands.values()].map(({ best, key, spellings }) => ({
    brandKey: key,
    productId: best.productId,
    letter: brandLetter(key),
    label: mostCommon(spellings),
    variantId: best.id,
  }))
}

function mostCommon(spellings: ReadonlyMap<string, number>): string {
  let [label, most] = ['', 0]
  for (const [spelling, count] of spellings)
    if (count > most || (count === most && spelling > label)) [label, most] = [spelling, count]
  return label
}
