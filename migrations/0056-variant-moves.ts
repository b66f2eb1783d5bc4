import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * Variants that moved to another product, so that a process knows when the sales by product that it
 * remembers are wrong. Writers only append: two that move variants never wait for each other.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('variant_moves')
    .addColumn('id', isPostgres ? 'bigint' : 'integer', (col) =>
      (isPostgres ? col.generatedAlwaysAsIdentity() : col).primaryKey(),
    )
    .addColumn('variant_id', text, (col) => col.notNull())
    .execute()
  const timing = sql`after update of product_id on product_variants for each row`
  const note = sql`insert into variant_moves (variant_id) values (new.id);`
  if (!isPostgres) {
    await sql`create trigger variant_moves_note ${timing} when (old.product_id is not new.product_id)
      begin ${note} end`.execute(db)
    return
  }
  await sql`create function note_variant_move() returns trigger language plpgsql as
    $$ begin ${note} return null; end $$`.execute(db)
  await sql`create trigger variant_moves_note ${timing}
    when (old.product_id is distinct from new.product_id)
    execute function note_variant_move()`.execute(db)
}
