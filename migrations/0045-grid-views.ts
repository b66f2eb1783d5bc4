import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** The column widths of an employee's grids, and the views of a grid that they have named. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  // JSON: pixels by column id. Null until a column is resized.
  await db.schema.alterTable('grid_settings').addColumn('widths', text).execute()

  await db.schema
    .createTable('grid_views')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('user_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('grid', text, (col) => col.notNull())
    .addColumn('name', text, (col) => col.notNull())
    // JSON: the parameters of the grid's URL.
    .addColumn('params', text, (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addUniqueConstraint('grid_views_name', ['user_id', 'grid', 'name'])
    .execute()
}
