import type { Identifier } from '#domain/catalog/identifiers.ts'
import { sql } from 'kysely'
import type { Db } from '../engine/client.ts'
import { jsonRows } from '../engine/json-rows.ts'
import { isOneOf } from '../engine/sql.ts'

/** Adds identifiers to the variants of these keys; existing ones stay. */
export async function saveIdentifiers(
  db: Db,
  identifiers: readonly (Identifier & { catalogKey: string })[],
): Promise<void> {
  if (identifiers.length === 0) return
  const list = jsonRows(
    db,
    identifiers.map(({ value, kind, catalogKey }) => ({ value, kind, key: catalogKey })),
    {
      value: 'text',
      kind: 'text',
      key: 'text',
    },
  )
  await sql`
    insert into variant_identifiers (value, kind, variant_id)
    select r.value, r.kind, (select v.id from product_variants v where v.catalog_key = r.key)
    from ${list} where true on conflict do nothing`.execute(db)
}

type VariantIdentifiers = {
  variant: { catalogKey: string; upc: string | null }
  identifiers: readonly Identifier[]
}

/**
 * Removes the identifiers that these variants no longer have, such as an NDC that an admin typed
 * and the directory's row replaces. A UPC stays when the row has none.
 */
export async function removeOldIdentifiers(db: Db, variants: readonly VariantIdentifiers[]): Promise<void> {
  if (variants.length === 0) return
  const byKey = new Map(variants.map((one) => [one.variant.catalogKey, one]))
  const stored = await db
    .selectFrom('productVariants as v')
    .innerJoin('variantIdentifiers as i', 'i.variantId', 'v.id')
    .select(['v.catalogKey', 'i.variantId', 'i.kind', 'i.value'])
    .where(isOneOf(db, 'v.catalog_key', sql`${JSON.stringify([...byKey.keys()])}`))
    .execute()
  const old = stored.filter(({ catalogKey, kind, value }) => {
    const row = byKey.get(catalogKey ?? '')
    const isListed = row?.identifiers.some((one) => one.kind === kind && one.value === value)
    return !isListed && (kind !== 'upc' || row?.variant.upc != null)
  })
  if (old.length === 0) return
  const list = jsonRows(
    db,
    old.map(({ variantId, kind, value }) => ({ value, kind, variant_id: variantId })),
    { value: 'text', kind: 'text', variant_id: 'text' },
  )
  await sql`
    delete from variant_identifiers
    where (value, kind, variant_id) in (select r.value, r.kind, r.variant_id from ${list})`.execute(db)
}
