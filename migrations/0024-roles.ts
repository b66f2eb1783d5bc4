import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * Accounts have roles instead of a flag: names joined by commas, none for a customer. The shop has
 * settings. A look into a patient's record without an open case has a reason.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema
    .alterTable('users')
    .addColumn('roles', text, (col) => col.notNull().defaultTo(''))
    .execute()
  await sql`update users set roles = 'admin' where is_admin = true`.execute(db)
  await db.schema.alterTable('users').dropColumn('is_admin').execute()

  await db.schema
    .createTable('settings')
    .addColumn('name', text, (col) => col.primaryKey())
    .addColumn('value', text, (col) => col.notNull())
    .addColumn('updated_at', 'timestamptz', (col) => col.notNull())
    .execute()

  await db.schema
    .createTable('record_accesses')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('patient_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('staff_id', text, (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('expires_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema
    .createIndex('record_accesses_by_patient')
    .on('record_accesses')
    .columns(['patient_id', 'staff_id'])
    .execute()
}
