import { sql, type Kysely } from 'kysely'

/** The list by country: without it each page is sorted anew, and how long that takes depends on which end is asked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index manufacturers_by_country on manufacturers ((coalesce(country, '')), id)`.execute(db)
}
