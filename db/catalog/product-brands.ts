import { brandKey, brandLetter } from '#domain/catalog/brands.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../engine/client.ts'
import { jsonRows } from '../engine/json-rows.ts'
import type { ProductBrandsTable } from '../schema/product-brands.ts'
import { isOneOf } from '../engine/sql.ts'

/** Which of some variants is shown for all of them: what is in stock, has a price, states its form, is the oldest. */
export const bestVariantFirst = sql`case when in_stock then 0 else 1 end, case when price_cents > 0 then 0 else 1 end,
  case when dosage_form is null then 1 else 0 end, id`

/** A live variant that has a brand, as it is compared with the others of that brand. */
type BrandedVariant = {
  id: string
  productId: string
  brandName: string
  inStock: boolean
  priceCents: number | null
  dosageForm: string | null
}

/**
 * Writes under which brands some products are sold, from their live variants; a deleted product is under none. Part of
 * refreshProductSummaries, which is what an edit calls.
 */
export async function refreshProductBrands(db: Db, productIds: readonly string[]): Promise<void> {
  const ids = sql<string>`${JSON.stringify(productIds)}`
  const wanted = new Map(brandsAmong(await loadBranded(db, ids)).map((brand) => [placeOf(brand), brand]))
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

async function loadBranded(db: Db, ids: RawBuilder<string>): Promise<BrandedVariant[]> {
  const { rows } = await sql<BrandedVariant>`
    select id, product_id, brand_name, in_stock, price_cents, dosage_form
    from product_variants
    where ${isOneOf(db, 'product_id', ids)} and deleted_at is null and brand_name <> ''
      and exists (select 1 from products where products.id = product_id and products.deleted_at is null)
    order by id`.execute(db)
  return rows
}

/** How near a variant is to being bought, as in `bestVariantFirst`; of equals the oldest stands for the brand. */
const standingOf = ({ inStock, priceCents, dosageForm }: BrandedVariant): number =>
  (inStock ? 4 : 0) + ((priceCents ?? 0) > 0 ? 2 : 0) + (dosageForm === null ? 0 : 1)

/** One row a brand: the spelling that most variants have, of equals the one with fewer capitals, and the best variant. */
function brandsAmong(variants: readonly BrandedVariant[]): ProductBrandsTable[] {
  const keys = new Map<string, string>()
  const brands = new Map<string, { best: BrandedVariant; key: string; spellings: Map<string, number> }>()
  for (const variant of variants) {
    const { productId, brandName } = variant
    // Folded once a spelling: a brand may have a hundred packs.
    const key = keys.get(brandName) ?? brandKey(brandName)
    keys.set(brandName, key)
    if (key === '') continue
    const place = placeOf({ brandKey: key, productId })
    const known = brands.get(place)
    if (!known) {
      brands.set(place, { best: variant, key, spellings: new Map([[brandName, 1]]) })
      continue
    }
    known.spellings.set(brandName, (known.spellings.get(brandName) ?? 0) + 1)
    if (standingOf(variant) > standingOf(known.best)) known.best = variant
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
