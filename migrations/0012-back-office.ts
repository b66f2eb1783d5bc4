import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** What the desk of an administrator keeps: who changed what of the catalogue, and which columns somebody wants to see. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  // No foreign keys: a change is kept when what it was about, or whoever made it, is gone.
  await db.schema
    .createTable('catalog_changes')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('product_id', text, (col) => col.notNull())
    .addColumn('variant_id', text)
    .addColumn('actor_id', text)
    .addColumn('action', text, (col) => col.notNull().check(sql`action in ('created', 'updated', 'deleted')`))
    // JSON of the fields that changed; null where there was or is nothing.
    .addColumn('before_fields', text)
    .addColumn('after_fields', text)
    .addColumn('at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema
    .createIndex('catalog_changes_by_product')
    .on('catalog_changes')
    .columns(['product_id', 'id'])
    .execute()

  await db.schema
    .createTable('grid_settings')
    .addColumn('user_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('grid', text, (col) => col.notNull())
    // JSON: the ids of the columns that are not shown.
    .addColumn('hidden_columns', text, (col) => col.notNull())
    .addPrimaryKeyConstraint('grid_settings_pk', ['user_id', 'grid'])
    .execute()
}
