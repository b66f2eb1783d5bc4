import type { Kysely } from 'kysely'

/** How many units were written off: no row of the ledger has it. Null in rows from before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('lot_events').addColumn('quantity', 'integer').execute()
}
