import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * New links of the audit chain need the shop's key. Earlier ones stay as they are. A job verifies
 * the chain each day.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema
    .alterTable('audit_chain')
    .addColumn('keyed', 'boolean', (col) => col.notNull().defaultTo(false))
    .execute()
  // The last verification; one row, which a process claims.
  await db.schema
    .createTable('audit_checks')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('started_at', 'timestamptz', (col) => col.notNull())
    // Null while it runs, and when its process died.
    .addColumn('finished_at', 'timestamptz')
    .addColumn('findings', 'integer')
    .addColumn('head', text)
    .execute()
}
