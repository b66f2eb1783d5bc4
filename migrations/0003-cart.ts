import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** The server's cart: rows behind an opaque cookie, of which only the hash is stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('carts')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('token_hash', text, (col) => col.notNull().unique())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('updated_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema
    .createTable('cart_lines')
    .addColumn('cart_id', text, (col) => col.notNull().references('carts.id').onDelete('cascade'))
    .addColumn('variant_id', text, (col) =>
      col.notNull().references('product_variants.id').onDelete('cascade'),
    )
    .addColumn('quantity', 'integer', (col) => col.notNull().check(sql`quantity between 1 and 999`))
    // The price when the line was last touched, so that a later change can be shown.
    .addColumn('price_cents', 'bigint', (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addPrimaryKeyConstraint('cart_lines_pk', ['cart_id', 'variant_id'])
    .execute()
}
