import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * What a patient takes and reacts to, for the customer and for the people they care for; whom a
 * prescription is for; and the names that medicines are recognized by.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('patients')
    // The customer's own id for their own record. The form makes a dependant's, so that sending it
    // twice adds them once.
    .addColumn('id', text, (col) => col.notNull())
    .addColumn('user_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('sealed_record', text, (col) => col.notNull())
    // Set for a dependant whom prescriptions still name: pages no longer offer them.
    .addColumn('removed_at', 'timestamptz')
    .addColumn('version', 'integer', (col) => col.notNull().defaultTo(1))
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('updated_at', 'timestamptz', (col) => col.notNull())
    .addPrimaryKeyConstraint('patients_key', ['user_id', 'id'])
    .execute()

  // Null for the customer.
  await db.schema.alterTable('prescriptions').addColumn('patient_id', text).execute()

  // Made from the care lists when they are imported.
  await db.schema
    .createTable('medicine_names')
    .addColumn('name_key', text, (col) => col.notNull())
    .addColumn('kind', text, (col) => col.notNull().check(sql`kind in ('ingredient', 'brand', 'group')`))
    .addColumn('label', text, (col) => col.notNull())
    // The sorted ingredients, joined by " + "; for a group, its name in the lists.
    .addColumn('meaning', text, (col) => col.notNull())
    // How many products of the directories have it.
    .addColumn('products', 'integer', (col) => col.notNull())
    .addPrimaryKeyConstraint('medicine_names_key', ['name_key', 'kind', 'meaning'])
    .execute()
  await db.schema
    .createTable('medicine_name_words')
    .addColumn('word', text, (col) => col.primaryKey())
    .addColumn('reversed', text, (col) => col.notNull())
    .addColumn('names', 'integer', (col) => col.notNull())
    .execute()
  await db.schema
    .createIndex('medicine_name_words_by_end')
    .on('medicine_name_words')
    .columns(['reversed', 'word', 'names'])
    .execute()
}
