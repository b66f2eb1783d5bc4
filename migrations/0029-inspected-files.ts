import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * Files record when they were inspected and scanned; earlier ones were not. A product keeps the
 * address of a picture from elsewhere, and shows our copy of it. Earlier addresses are fetched by a
 * job.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema.alterTable('files').addColumn('inspected_at', 'timestamptz').execute()
  await db.schema.alterTable('files').addColumn('scanned_at', 'timestamptz').execute()

  // The path of our copy. Null while there is none, and for a path of our own.
  await db.schema.alterTable('products').addColumn('image_copy', text).execute()
  await db.schema
    .createTable('picture_fetches')
    .addColumn('product_id', text, (col) => col.primaryKey().references('products.id').onDelete('cascade'))
    .addColumn('url', text, (col) => col.notNull())
    // The id of the copy, chosen before its bytes are stored, so that a retry overwrites them.
    .addColumn('picture_id', text, (col) => col.notNull())
    .addColumn('attempts', 'integer', (col) => col.notNull().defaultTo(0))
    // Null when it was given up.
    .addColumn('due_at', 'timestamptz')
    // Why the last attempt failed.
    .addColumn('problem', text)
    .execute()
  await sql`create index picture_fetches_due on picture_fetches (due_at) where due_at is not null`.execute(db)
  await sql`insert into picture_fetches (product_id, url, picture_id, due_at)
    select id, image, id, '2026-01-01T00:00:00.000Z' from products
    where lower(image) like 'https:%' and deleted_at is null`.execute(db)
}
