import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** What the desk's rules need besides: former names, what a refund was asked for, and no note of whoever is gone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`

  // As person_tokens: by what somebody was found before they changed their name or address. Their orders still show it.
  await db.schema
    .createTable('former_person_tokens')
    .addColumn('token', text, (col) => col.notNull())
    .addColumn('user_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('former_person_tokens_pk', ['token', 'user_id'])
    .$call((table) => (postgres ? table : table.modifyEnd(sql`without rowid`)))
    .execute()
  await db.schema
    .createIndex('former_person_tokens_by_user')
    .on('former_person_tokens')
    .column('user_id')
    .execute()

  // The orders of before, whose names stand sealed: a job reads them, and empties this.
  await db.schema
    .createTable('orders_to_index')
    .addColumn('order_id', text, (col) => col.primaryKey().references('orders.id').onDelete('cascade'))
    .execute()
  await sql`insert into orders_to_index (order_id) select id from orders where user_id is not null`.execute(
    db,
  )

  // Whether a line was asked to be put back into stock; null of what nobody asked for by line, or before this was kept.
  await db.schema.alterTable('refund_lines').addColumn('restock', 'boolean').execute()

  await sql`delete from order_notes where order_id in (select id from orders where user_id is null)`.execute(
    db,
  )
}
