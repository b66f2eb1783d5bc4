import type { DosageForm } from '#domain/catalog/catalog.ts'
import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { jsonRows, timestamp } from '../engine/json-rows.ts'
import { isOneOf } from '../engine/sql.ts'

export type UnpricedVariant = {
  id: string
  productKey: string
  brandName: string | null
  dosageForm: DosageForm | null
  strength: string
  strengthUnit: string
  packageSize: number
  packageUnit: string
  labelForm: string | null
}

/** The live variants without a price of the products with these keys, ordered by their own keys. */
export async function findUnpricedVariants(
  db: Db,
  productKeys: readonly string[],
): Promise<UnpricedVariant[]> {
  if (productKeys.length === 0) return []
  const { rows } = await sql<UnpricedVariant>`
    select v.id, p.catalog_key as product_key, v.brand_name, v.dosage_form, v.strength, v.strength_unit,
      v.package_size, v.package_unit, v.label_form
    from products p join product_variants v on v.product_id = p.id
    where ${isOneOf(db, 'p.catalog_key', sql`${JSON.stringify(productKeys)}`)}
      and v.deleted_at is null and v.price_cents is null
    order by v.catalog_key`.execute(db)
  return rows
}

/**
 * Sets the price of variants that still have none, and marks their products as touched. Keeps an
 * existing acquisition cost.
 */
export async function savePrices(
  db: Db,
  prices: readonly { id: string; priceCents: number; acquisitionCostCents: number }[],
  now: Date,
): Promise<void> {
  if (prices.length === 0) return
  const list = jsonRows(
    db,
    prices.map(({ id, priceCents, acquisitionCostCents }) => ({
      id,
      price: priceCents,
      cost: acquisitionCostCents,
    })),
    { id: 'text', price: 'bigint', cost: 'bigint' },
  )
  await sql`
    update product_variants set price_cents = r.price,
      acquisition_cost_cents = coalesce(product_variants.acquisition_cost_cents, r.cost),
      version = version + 1, updated_at = ${timestamp(db, now)}
    from ${list} where product_variants.id = r.id and product_variants.price_cents is null`.execute(db)
  await sql`
    insert into catalog_touched (product_id)
    select distinct product_id from product_variants
    where ${isOneOf(db, 'id', sql`${JSON.stringify(prices.map(({ id }) => id))}`)}
    on conflict do nothing`.execute(db)
}
