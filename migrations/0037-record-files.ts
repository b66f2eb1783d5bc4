import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * Further files of dispensing records: an order's lines can be dispensed on several prescriptions.
 * The file of the first one is in the record's row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('record_files')
    .addColumn('order_id', text, (col) =>
      col.notNull().references('dispensing_records.order_id').onDelete('cascade'),
    )
    .addColumn('storage_key', text, (col) => col.notNull())
    .addPrimaryKeyConstraint('record_files_pkey', ['order_id', 'storage_key'])
    .execute()
  await db.schema.createIndex('record_files_by_key').on('record_files').column('storage_key').execute()
}
