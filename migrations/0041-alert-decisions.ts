import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * What pharmacists decided on the alerts of a screening, for the patient's next fill; how often
 * each rule's alerts were shown, overridden and refused; rows of the lists that are marked as
 * wrong.
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

  // Rows of the interaction lists that pharmacists marked as wrong, and what an admin decided.
  await db.schema
    .createTable('screening_row_reports')
    .addColumn('id', text, (col) => col.primaryKey())
    // Of `care_interactions`, which an import replaces.
    .addColumn('row_id', text, (col) => col.notNull())
    .addColumn('list', text, (col) => col.notNull())
    .addColumn('subject', text, (col) => col.notNull())
    .addColumn('object', text, (col) => col.notNull())
    // What the row said. A later edition that says something else is not marked.
    .addColumn('level', text, (col) => col.notNull())
    .addColumn('sentence', text)
    .addColumn('reason', text, (col) => col.notNull())
    .addColumn('status', text, (col) =>
      col.notNull().check(sql`status in ('open', 'confirmed', 'rejected', 'outdated')`),
    )
    .addColumn('reported_by', text, (col) => col.notNull())
    .addColumn('reported_at', 'timestamptz', (col) => col.notNull())
    .addColumn('reviewed_by', text)
    .addColumn('reviewed_at', 'timestamptz')
    .addColumn('review_note', text)
    .execute()
  // Of two pharmacists who mark a row at once, one does.
  await db.schema
    .createIndex('screening_row_reports_in_force')
    .unique()
    .on('screening_row_reports')
    .column('row_id')
    .where(sql.ref('status'), 'in', sql`('open', 'confirmed')`)
    .execute()
  await db.schema
    .createIndex('screening_row_reports_by_time')
    .on('screening_row_reports')
    .columns(['reported_at', 'id'])
    .execute()
}
