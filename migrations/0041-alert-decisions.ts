import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * What pharmacists decided on the alerts of a screening, for the patient's next fill; and how often
 * each rule's alerts were shown, overridden and refused.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('alert_decisions')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('user_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('line_id', text, (col) => col.notNull())
    .addColumn('sealed_decision', text, (col) => col.notNull())
    .addColumn('decided_by', text, (col) => col.notNull())
    .addColumn('decided_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('alert_decisions_by_user').on('alert_decisions').column('user_id').execute()

  // Sums of a month, without a patient, a line or a medicine.
  await db.schema
    .createTable('alert_counts')
    // `YYYY-MM`.
    .addColumn('month', text, (col) => col.notNull())
    .addColumn('kind', text, (col) => col.notNull())
    .addColumn('list', text, (col) => col.notNull())
    // Empty where a list's grades would name a medicine's class.
    .addColumn('grade', text, (col) => col.notNull())
    .addColumn('level', text, (col) => col.notNull())
    .addColumn('shown', 'integer', (col) => col.notNull())
    .addColumn('overridden', 'integer', (col) => col.notNull())
    .addColumn('refused', 'integer', (col) => col.notNull())
    .addPrimaryKeyConstraint('alert_counts_key', ['month', 'kind', 'list', 'grade', 'level'])
    .execute()
}
