import { sql, type Kysely } from 'kysely'

/**
 * Brands of several ingredients were known by one of them. The next import of the lists reads the
 * list of brands again, unchanged or not, and makes all names again with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update care_lists set sha256 = '' where name = 'rxnorm-brands'`.execute(db)
}
