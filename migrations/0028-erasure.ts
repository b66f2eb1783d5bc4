import { PostgresAdapter, sql, type Kysely } from 'kysely'

const fillBytes = 64 * 2 ** 20

/**
 * Deleted keys leave the database's files, and dispensing records outlive their account under keys
 * of their own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`

  // Deletions whose bytes the files of the database may still contain.
  await db.schema
    .createTable('erasures')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .execute()

  // No foreign keys: a record outlives the account, and its order is in no list.
  await db.schema
    .createTable('dispensing_records')
    .addColumn('order_id', text, (col) => col.primaryKey())
    // Everything about the order and its prescription, sealed under the record's own key.
    .addColumn('sealed_record', text, (col) => col.notNull())
    // The prescription's file. Records of orders with the same prescription share it.
    .addColumn('storage_key', text)
    .addColumn('dispensed_at', 'timestamptz', (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema
    .createIndex('dispensing_records_by_age')
    .on('dispensing_records')
    .column('dispensed_at')
    .execute()
  await db.schema
    .createIndex('dispensing_records_by_file')
    .on('dispensing_records')
    .column('storage_key')
    .execute()
  // Apart from the records, so that a deleted key can be erased by rewriting a small table.
  await db.schema
    .createTable('record_keys')
    .addColumn('order_id', text, (col) => col.primaryKey())
    .addColumn('wrapped_key', text, (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .execute()

  if (postgres) {
    for (const table of ['user_keys', 'shop_keys', 'record_keys']) {
      // ANALYZE would copy wrapped keys into the statistics of the planner. Setting the type, here
      // the same one, deletes what it has copied so far.
      await sql`alter table ${sql.table(table)} alter column wrapped_key type text collate "C"`.execute(db)
      await sql`alter table ${sql.table(table)} alter column wrapped_key set statistics 0`.execute(db)
    }
  } else {
    await overwriteFreePages(db)
  }
  // What was deleted before this migration is erased too.
  await sql`insert into erasures (id, created_at)
    select '00000000-0000-7000-8000-000000000028', max(created_at) from user_keys having count(*) > 0`.execute(
    db,
  )
}

/**
 * Earlier versions did not overwrite whole pages that became free. Filling them all and freeing
 * them again does, because the connection has secure_delete on.
 */
async function overwriteFreePages(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ bytes: number }>`
    select freelist_count * page_size as bytes from pragma_freelist_count, pragma_page_size`.execute(db)
  await sql`create table free_pages (fill blob)`.execute(db)
  for (let left = rows[0]?.bytes ?? 0; left > 0; left -= fillBytes) {
    await sql`insert into free_pages values (zeroblob(${Math.min(left, fillBytes)}))`.execute(db)
  }
  await sql`drop table free_pages`.execute(db)
}
