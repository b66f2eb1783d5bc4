import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * What a key may do with orders: `read` or `ship`, which includes reading. Null for none, and in
 * rows from before. `permissions` stays as the release before reads it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema.alterTable('api_keys').addColumn('order_access', text).execute()
}
