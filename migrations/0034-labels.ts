import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * What pharmacists record for the label of a dispensed line. Labels print the pharmacy's address
 * and phone number, which admins add to existing pharmacies.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema.alterTable('pharmacies').addColumn('address', text).execute()
  await db.schema.alterTable('pharmacies').addColumn('phone', text).execute()

  await db.schema
    .createTable('label_choices')
    .addColumn('line_id', text, (col) => col.primaryKey())
    .addColumn('order_id', text, (col) => col.notNull().references('orders.id').onDelete('cascade'))
    // Sealed under the shop's key, like the order: the account may be deleted before the record.
    .addColumn('sealed_choices', text, (col) => col.notNull())
    .addColumn('version', 'integer', (col) => col.notNull().defaultTo(1))
    .addColumn('updated_by', text, (col) => col.notNull())
    .addColumn('updated_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('label_choices_order').on('label_choices').column('order_id').execute()
}
