import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** Files of variants, prices or stock that an administrator brings: their rows wait here until they are checked and applied. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('csv_imports')
    .addColumn('id', text, (col) => col.primaryKey())
    // No foreign key: what was imported stays when whoever did it is gone.
    .addColumn('actor_id', text, (col) => col.notNull())
    .addColumn('file_name', text, (col) => col.notNull())
    .addColumn('status', text, (col) =>
      col
        .notNull()
        .check(
          sql`status in ('receiving', 'received', 'checking', 'checked', 'applying', 'applied', 'discarded')`,
        ),
    )
    // JSON: the names of the columns, and which of them says what.
    .addColumn('header', text, (col) => col.notNull())
    .addColumn('mapping', text)
    .addColumn('row_count', 'integer', (col) => col.notNull().defaultTo(0))
    // Up to which line the rows are checked; and which check it is, so that an older one's keys do not count.
    .addColumn('checked_line', 'integer', (col) => col.notNull().defaultTo(0))
    .addColumn('round', 'integer', (col) => col.notNull().defaultTo(0))
    // Of the request that said "apply": the log of what was done names it.
    .addColumn('request_id', text)
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('updated_at', 'timestamptz', (col) => col.notNull())
    .execute()

  await db.schema
    .createTable('csv_import_rows')
    .addColumn('import_id', text, (col) => col.notNull().references('csv_imports.id').onDelete('cascade'))
    .addColumn('line', 'integer', (col) => col.notNull())
    // JSON: the cells as they stand in the file.
    .addColumn('cells', text, (col) => col.notNull())
    // What is wrong with the line whatever it says; null mostly.
    .addColumn('fault', text)
    .addColumn('outcome', text, (col) =>
      col.check(sql`outcome in ('added', 'changed', 'unchanged', 'refused')`),
    )
    .addColumn('variant_id', text)
    .addColumn('product_id', text)
    // What it is of, as one reads it.
    .addColumn('name', text)
    // JSON: each field that changes, with what stands there and what is to stand there.
    .addColumn('changes', text)
    .addColumn('problem', text)
    .addColumn('is_applied', 'boolean', (col) => col.notNull().defaultTo(false))
    .addPrimaryKeyConstraint('csv_import_rows_pk', ['import_id', 'line'])
    .execute()
  await db.schema
    .createIndex('csv_import_rows_by_outcome')
    .on('csv_import_rows')
    .columns(['import_id', 'outcome', 'line'])
    .execute()
  // The rows of one product are applied together, so that its summary is made once.
  await sql`create index csv_import_rows_to_apply on csv_import_rows (import_id, product_id, line)
    where outcome in ('added', 'changed') and not is_applied`.execute(db)

  // What the rows of one check name: of two that name the same, the second is refused.
  await db.schema
    .createTable('csv_import_keys')
    .addColumn('import_id', text, (col) => col.notNull().references('csv_imports.id').onDelete('cascade'))
    .addColumn('round', 'integer', (col) => col.notNull())
    .addColumn('key', text, (col) => col.notNull())
    .addColumn('line', 'integer', (col) => col.notNull())
    .addPrimaryKeyConstraint('csv_import_keys_pk', ['import_id', 'round', 'key'])
    .execute()
}
