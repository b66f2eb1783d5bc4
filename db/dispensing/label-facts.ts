import type { Db } from '../engine/client.ts'

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
