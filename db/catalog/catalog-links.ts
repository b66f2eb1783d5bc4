import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'

/**
 * Removes the links from and to the variants whose directory rows change what makes a brand and a
 * generic equivalent: product, strength, form, release, or being a brand. Other links stay, because
 * an admin may have chosen them.
 * @param rows the new rows, as `r`
 */
export async function dropOutdatedLinks(db: Db, rows: RawBuilder<unknown>): Promise<void> {
  const changed = await sql<{ id: string }>`
    select v.id from ${rows} join product_variants v on v.catalog_key = r.key
    where v.strength <> r.strength or v.strength_unit <> r.strength_unit
      or v.dosage_form is distinct from r.dosage_form or v.label_form is distinct from r.label_form
      or (v.brand_name is null) <> (r.brand_name is null)
      or v.product_id is distinct from (select p.id from products p where p.catalog_key = r.product_key)`.execute(
    db,
  )
  if (changed.rows.length === 0) return
  const ids = sql<string>`${JSON.stringify(changed.rows.map(({ id }) => id))}`
  await sql`
    update product_variants set linked_variant_id = null, version = version + 1
    where linked_variant_id is not null
      and (${isOneOf(db, 'id', ids)} or ${isOneOf(db, 'linked_variant_id', ids)})`.execute(db)
}
