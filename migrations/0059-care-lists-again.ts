import { sql, type Kysely } from 'kysely'

/**
 * Brands of several ingredients were known by one of them, and recalls of more lots than the list
 * has counted as complete. The next import of the lists reads both again, unchanged or not.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update care_lists set sha256 = '' where name in ('rxnorm-brands', 'recalls')`.execute(db)
}
