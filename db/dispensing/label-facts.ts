import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

/** What a label prints of the catalog, also for a variant that is no longer sold. */
export type LabelFacts = {
  ndc: string | null
  din: string | null
  labeler: string | null
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
      'pharmacies.name as pharmacyName',
      'pharmacies.address as pharmacyAddress',
      'pharmacies.phone as pharmacyPhone',
      'pharmacies.licenseNumber as pharmacyLicense',
    ])
    .where('productVariants.id', '=', variantId)
    .executeTakeFirst()
  return row ?? null
}

/** The ingredients of a product, as the catalog and as the lists name them. */
export type LabelIngredients = {
  /** Joined by "; ". Null if an admin created the product. */
  names: string | null
  keys: string[]
}

/** The ingredients of these variants' products, by variant. */
export async function listIngredients(
  db: Db,
  variantIds: readonly string[],
): Promise<Map<string, LabelIngredients>> {
  const rows = await db
    .selectFrom('productVariants')
    .innerJoin('products', 'products.id', 'productVariants.productId')
    .leftJoin('productIngredients', 'productIngredients.productId', 'products.id')
    .select(['productVariants.id', 'products.ingredients', 'productIngredients.ingredient'])
    .where(isOneOf(db, 'product_variants.id', sql`${JSON.stringify(variantIds)}`))
    .execute()
  const found = new Map<string, LabelIngredients>()
  for (const { id, ingredients, ingredient } of rows) {
    const known = found.get(id) ?? { names: ingredients, keys: [] }
    if (ingredient !== null) known.keys.push(ingredient)
    found.set(id, known)
  }
  return found
}
