import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** A review of a lay term decides what search pages find, so it sets their version (0049). */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`create trigger need_reviews_shown after insert or update or delete or truncate on need_reviews
      for each statement execute function note_shown_change()`.execute(db)
    return
  }
  for (const event of ['insert', 'update', 'delete']) {
    await sql`create trigger ${sql.id(`need_reviews_shown_${event}`)} after ${sql.raw(event)} on need_reviews
      begin update page_versions set version = hex(randomblob(8)) where scope = 'catalog'; end`.execute(db)
  }
}
