import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** The last runs of jobs and commands, and indexes for counting what was given up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('runs')
    .addColumn('kind', text, (col) => col.notNull())
    .addColumn('name', text, (col) => col.notNull())
    .addColumn('succeeded_at', 'timestamptz')
    .addColumn('failed_at', 'timestamptz')
    .addColumn('failure', text)
    .addColumn('summary', text)
    .addColumn('duration_ms', 'integer')
    .addPrimaryKeyConstraint('runs_pkey', ['kind', 'name'])
    .execute()
  await sql`create index outbox_failed on outbox (failed_at) where failed_at is not null`.execute(db)
  await sql`create index refunds_failed on refunds (failed_at) where failed_at is not null`.execute(db)
}
