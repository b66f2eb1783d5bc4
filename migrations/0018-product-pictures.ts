import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** Pictures of products that admins uploaded. Public, so their bytes lie in the storage as they came. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('product_pictures')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('storage_key', text, (col) => col.notNull().unique())
    .addColumn('content_type', text, (col) =>
      col.notNull().check(sql`content_type in ('image/jpeg', 'image/png')`),
    )
    .addColumn('byte_size', 'integer', (col) => col.notNull())
    // The same bytes are one picture.
    .addColumn('sha256', text, (col) => col.notNull().unique())
    // No foreign key: a picture stays when whoever brought it is gone.
    .addColumn('actor_id', text, (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .execute()
}
