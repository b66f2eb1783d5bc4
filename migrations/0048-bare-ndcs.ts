import { sql, type Kysely } from 'kysely'

/**
 * An NDC of eleven bare digits is its own billing code. It was stored without it, so neither
 * recalls nor searches by other forms found the variant.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const digits = sql`replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    trim(ndc), '0', ''), '1', ''), '2', ''), '3', ''), '4', ''), '5', ''), '6', ''), '7', ''), '8', ''), '9', '')`
  await sql`insert into variant_identifiers (value, kind, variant_id)
    select trim(ndc), 'ndc-11', id from product_variants
    where length(trim(ndc)) = 11 and ${digits} = ''
    on conflict do nothing`.execute(db)
}
