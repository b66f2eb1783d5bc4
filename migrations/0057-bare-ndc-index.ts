import { sql, type Kysely } from 'kysely'

/**
 * The few variants whose NDC is ten bare digits. The job that holds recalled stock lists them every
 * ten minutes, and read the whole catalog for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index product_variants_with_bare_ndc on product_variants (id)
    where length(trim(ndc)) = 10 and ndc not like '%-%'`.execute(db)
}
