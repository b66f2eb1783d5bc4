import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * Lots of a variant with their expiry dates. Stock from before is in no lot. A lot has no time or
 * quantity of a sale besides what is left of it, like the variant's stock.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? sql`text collate "C"` : sql`text`
  const no = isPostgres ? sql`false` : sql`0`

  // Sales of a variant without lots read no lots.
  await db.schema
    .alterTable('product_variants')
    .addColumn('has_lots', 'boolean', (col) => col.notNull().defaultTo(no))
    .execute()

  await db.schema
    .createTable('stock_lots')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('variant_id', text, (col) => col.notNull().references('product_variants.id'))
    .addColumn('lot_number', text, (col) => col.notNull())
    .addColumn('expires_on', text, (col) => col.notNull())
    // Part of the variant's stock while the lot is available, apart from it otherwise.
    .addColumn('quantity', 'integer', (col) => col.notNull().check(sql`quantity >= 0`))
    .addColumn('status', text, (col) =>
      col.notNull().check(sql`status in ('available', 'quarantined', 'expired')`),
    )
    .addColumn('version', 'integer', (col) => col.notNull().defaultTo(1))
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addUniqueConstraint('stock_lots_number', ['variant_id', 'lot_number'])
    .execute()
  await db.schema
    .createIndex('stock_lots_expiry')
    .on('stock_lots')
    .columns(['status', 'expires_on', 'id'])
    .execute()

  await db.schema
    .createTable('lot_events')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('lot_id', text, (col) => col.notNull().references('stock_lots.id'))
    .addColumn('action', text, (col) => col.notNull())
    .addColumn('reason', text)
    // Null when the shop did it by itself.
    .addColumn('actor_id', text)
    .addColumn('at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('lot_events_lot').on('lot_events').columns(['lot_id', 'id']).execute()
}
