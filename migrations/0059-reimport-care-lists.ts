import { sql, type Kysely } from 'kysely'

/**
 * Combination brands were stored with one ingredient, and truncated recalls counted as complete.
 * Clearing the checksum makes the next import read both lists again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update care_lists set sha256 = '' where name in ('rxnorm-brands', 'recalls')`.execute(db)
}
