import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

/** A stored variant of the directories that has a link or that another variant links to. */
export type LinkedVariant = {
  id: string
  catalogKey: string | null
  brandName: string | null
  strength: string
  strengthUnit: string
  dosageForm: string | null
  labelForm: string | null
  productKey: string | null
}

/** The variants with these catalog keys that have a link or that another variant links to. */
export const listLinkedVariants = (db: Db, catalogKeys: readonly string[]): Promise<LinkedVariant[]> =>
  db
    .selectFrom('productVariants as v')
    .innerJoin('products as p', 'p.id', 'v.productId')
    .select([
      'v.id',
      'v.catalogKey',
      'v.brandName',
      'v.strength',
      'v.strengthUnit',
      'v.dosageForm',
      'v.labelForm',
      'p.catalogKey as productKey',
    ])
    .where(isOneOf(db, 'v.catalog_key', sql`${JSON.stringify(catalogKeys)}`))
    .where((eb) =>
      eb.or([
        eb('v.linkedVariantId', 'is not', null),
        eb.exists(
          eb.selectFrom('productVariants as l').select('l.id').whereRef('l.linkedVariantId', '=', 'v.id'),
        ),
      ]),
    )
    .execute()

/** Removes the links from and to these variants. */
export async function removeLinks(db: Db, variantIds: readonly string[]): Promise<void> {
  const ids = sql<string>`${JSON.stringify(variantIds)}`
  await sql`
    update product_variants set linked_variant_id = null, version = version + 1
    where linked_variant_id is not null
      and (${isOneOf(db, 'id', ids)} or ${isOneOf(db, 'linked_variant_id', ids)})`.execute(db)
}
