import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

/** What a label prints of the catalog, also for a variant that is no longer sold. */
export type LabelFacts = {
  ndc: string | null
  din: string | null
  labeler: string | null
  ingredients: string | null
  pharmacyName: string | null
  pharmacyAddress: string | null
  pharmacyPhone: string | null
  pharmacyLicense: string | null
}

export async function findLabelFacts(db: Db, variantId: string): Promise<LabelFacts | null> {
  const row = await db
    .selectFrom('productVariants')
    .innerJoin('products', 'products.id', 'productVariants.productId')
    .leftJoin('manufacturers', 'manufacturers.id', 'productVariants.manufacturerId')
    .leftJoin('pharmacies', 'pharmacies.id', 'products.pharmacyId')
    .select([
      'productVariants.ndc',
      'productVariants.din',
      'manufacturers.name as labeler',
      'products.ingredients',
      'pharmacies.name as pharmacyName',
      'pharmacies.address as pharmacyAddress',
      'pharmacies.phone as pharmacyPhone',
      'pharmacies.licenseNumber as pharmacyLicense',
    ])
    .where('productVariants.id', '=', variantId)
    .executeTakeFirst()
  return row ?? null
}

/** The ingredients of these variants' products, joined by "; ". */
export async function listIngredients(db: Db, variantIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('productVariants')
    .innerJoin('products', 'products.id', 'productVariants.productId')
    .select(['productVariants.id', 'products.ingredients'])
    .where(isOneOf(db, 'product_variants.id', sql`${JSON.stringify(variantIds)}`))
    .execute()
  return new Map(rows.flatMap(({ id, ingredients }) => (ingredients === null ? [] : [[id, ingredients]])))
}
