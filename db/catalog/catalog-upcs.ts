import type { Identifier } from '#domain/catalog/identifiers.ts'
import { sql } from 'kysely'
import { saveIdentifiers } from './catalog-identifiers.ts'
import { markTouchedByKeys } from './catalog-save.ts'
import type { Db } from '../engine/client.ts'
import { jsonRows, timestamp } from '../engine/json-rows.ts'

/**
 * Changes the key of a variant that was known by its UPC to the directory package that it turned
 * out to be.
 */
export async function renameCatalogKeys(
  db: Db,
  renames: readonly { from: string; to: string; digest: string }[],
): Promise<void> {
  if (renames.length === 0) return
  const list = jsonRows(db, renames, { from: 'text', to: 'text', digest: 'text' })
  await sql`
    insert into catalog_rows (catalog_key, digest, variant_id)
    select r."from", r.digest, v.id from ${list} join product_variants v on v.catalog_key = r."from"
    where true on conflict (catalog_key) do update set digest = excluded.digest, variant_id = excluded.variant_id`.execute(
    db,
  )
  await sql`
    update product_variants set catalog_key = r."to" from ${list}
    where product_variants.catalog_key = r."from"`.execute(db)
}

/** Sets variants' UPCs and records the rows they came from. */
export async function completeWithUpc(
  db: Db,
  rows: readonly {
    catalogKey: string
    digest: string
    variantKey: string
    upc: string
    identifiers: Identifier[]
  }[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  const list = jsonRows(
    db,
    rows.map((row) => ({
      key: row.catalogKey,
      digest: row.digest,
      variant_key: row.variantKey,
      upc: row.upc,
    })),
    { key: 'text', digest: 'text', variant_key: 'text', upc: 'text' },
  )
  await sql`
    update product_variants set upc = r.upc, version = version + 1, updated_at = ${timestamp(db, now)}
    from ${list} where product_variants.catalog_key = r.variant_key`.execute(db)
  await saveIdentifiers(
    db,
    rows.flatMap((row) =>
      row.identifiers.map((identifier) => ({ ...identifier, catalogKey: row.variantKey })),
    ),
  )
  await sql`
    insert into catalog_rows (catalog_key, digest, variant_id)
    select r.key, r.digest, v.id from ${list} join product_variants v on v.catalog_key = r.variant_key
    where true on conflict (catalog_key) do update set digest = excluded.digest, variant_id = excluded.variant_id`.execute(
    db,
  )
  await markTouchedByKeys(
    db,
    rows.map((row) => row.variantKey),
  )
}
