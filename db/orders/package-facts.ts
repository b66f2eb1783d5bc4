import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

/** Whose package a variant is, and its identifiers, also for one that is no longer sold. */
export async function listPackageFacts(db: Db, variantIds: readonly string[]) {
  if (variantIds.length === 0) return []
  return db
    .selectFrom('productVariants')
    .leftJoin('manufacturers', 'manufacturers.id', 'productVariants.manufacturerId')
    .select([
      'productVariants.id',
      'productVariants.ndc',
      'productVariants.din',
      'productVariants.upc',
      'manufacturers.name as labeler',
    ])
    .where(isOneOf(db, 'product_variants.id', sql`${JSON.stringify(variantIds)}`))
    .execute()
}
