import type { Identifier } from '#domain/catalog/identifiers.ts'
import type { VariantValues } from '#domain/catalog/variant-wire.ts'
import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { jsonRows } from '../engine/json-rows.ts'
import { isOneOf } from '../engine/sql.ts'

/** Looks up many variants, products or manufacturers at once. */

export type CurrentVariant = VariantValues & {
  id: string
  productId: string
  productName: string
  version: number
}

const asText = (values: readonly string[]) => sql<string>`${JSON.stringify(values)}`

/** The live ones of these variants. */
export const findCurrentVariants = (db: Db, ids: readonly string[]): Promise<CurrentVariant[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('productVariants as v')
        .innerJoin('products as p', 'p.id', 'v.productId')
        .select([
          'v.id',
          'v.productId',
          'p.name as productName',
          'v.brandName',
          'v.manufacturerId',
          'v.dosageForm',
          'v.strength',
          'v.strengthUnit',
          'v.packageSize',
          'v.packageUnit',
          'v.priceCents',
          'v.acquisitionCostCents',
          'v.sku',
          'v.upc',
          'v.ndc',
          'v.din',
          'v.trackInventory',
          'v.inStock',
          'v.stockQuantity',
          'v.linkedVariantId',
          'v.version',
        ])
        .where(isOneOf(db, 'v.id', asText(ids)))
        .where('v.deletedAt', 'is', null)
        .execute()

/** The live variants with these identifiers. */
export async function findVariantIdsByCodes(
  db: Db,
  identifiers: readonly Identifier[],
): Promise<{ kind: string; value: string; id: string }[]> {
  if (identifiers.length === 0) return []
  const list = jsonRows(db, identifiers, { kind: 'text', value: 'text' })
  const { rows } = await sql<{ kind: string; value: string; id: string }>`
    select distinct i.kind, i.value, v.id from ${list}
    join variant_identifiers i on i.value = r.value and i.kind = r.kind
    join product_variants v on v.id = i.variant_id
    where v.deleted_at is null`.execute(db)
  return rows
}

/** The live variants with these SKUs. */
export const findVariantIdsBySkus = (
  db: Db,
  skus: readonly string[],
): Promise<{ sku: string | null; id: string }[]> =>
  skus.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('productVariants')
        .select(['sku', 'id'])
        .where(isOneOf(db, 'sku', asText(skus)))
        .where('sku', 'is not', null)
        .where('deletedAt', 'is', null)
        .execute()

/** The products with these ids or folded names. */
export async function findProductsByIdOrName(
  db: Db,
  { ids, names }: { ids: readonly string[]; names: readonly string[] },
): Promise<{ id: string; name: string; sortName: string }[]> {
  const of = (column: 'id' | 'sortName', values: readonly string[]) =>
    db
      .selectFrom('products')
      .select(['id', 'name', 'sortName'])
      .where(isOneOf(db, column === 'id' ? 'id' : 'sort_name', asText(values)))
      .where('deletedAt', 'is', null)
      .execute()
  return [
    ...(ids.length > 0 ? await of('id', ids) : []),
    ...(names.length > 0 ? await of('sortName', names) : []),
  ]
}

/** The manufacturers with these ids or folded names. */
export async function findManufacturersByIdOrName(
  db: Db,
  { ids, names }: { ids: readonly string[]; names: readonly string[] },
): Promise<{ id: string; name: string; nameKey: string }[]> {
  if (ids.length === 0 && names.length === 0) return []
  return db
    .selectFrom('manufacturers')
    .select(['id', 'name', 'nameKey'])
    .where((eb) => eb.or([isOneOf(db, 'id', asText(ids)), isOneOf(db, 'name_key', asText(names))]))
    .execute()
}
