import type { Kysely } from 'kysely'

/** How often customers confirmed reading a high alert and ordered, beside what pharmacists did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('alert_counts')
    .addColumn('confirmed', 'integer', (col) => col.notNull().defaultTo(0))
    .execute()
}
