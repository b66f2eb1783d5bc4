import type { Kysely } from 'kysely'

/** Which units of a line a refund is for, as a JSON list of their positions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('refund_lines').addColumn('positions', 'jsonb').execute()
}
