import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** Files, prescriptions and saved addresses. Their words stand sealed under the user's key, their bytes under a key of each file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('upload_tickets')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('user_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('session_id', text, (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('expires_at', 'timestamptz', (col) => col.notNull())
    .addColumn('used_at', 'timestamptz')
    .execute()
  await db.schema.createIndex('upload_tickets_by_expiry').on('upload_tickets').column('expires_at').execute()

  // No foreign key: bytes outlive their user until the sweep has deleted them.
  await db.schema
    .createTable('files')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('user_id', text, (col) => col.notNull())
    .addColumn('storage_key', text, (col) => col.notNull().unique())
    .addColumn('wrapped_key', text, (col) => col.notNull())
    .addColumn('content_type', text, (col) => col.notNull())
    .addColumn('byte_size', 'integer', (col) => col.notNull())
    // Null until a prescription or a profile names the file; what nobody names is swept.
    .addColumn('registered_at', 'timestamptz')
    // Set when nothing names it any longer; the sweep deletes the bytes, then the row.
    .addColumn('discarded_at', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('files_by_user').on('files').column('user_id').execute()
  await sql`create index files_to_sweep on files (created_at) where registered_at is null or discarded_at is not null`.execute(
    db,
  )

  await db.schema
    .createTable('prescriptions')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('user_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('file_id', text, (col) => col.notNull().unique().references('files.id'))
    .addColumn('sealed_details', text, (col) => col.notNull())
    .addColumn('status', text, (col) =>
      col.notNull().check(sql`status in ('under_review', 'approved', 'rejected', 'expired')`),
    )
    .addColumn('decided_by', text)
    .addColumn('decided_at', 'timestamptz')
    .addColumn('version', 'integer', (col) => col.notNull().defaultTo(1))
    .addColumn('uploaded_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema
    .createIndex('prescriptions_by_user')
    .on('prescriptions')
    .columns(['user_id', 'id'])
    .execute()
  await db.schema
    .createIndex('prescriptions_by_status')
    .on('prescriptions')
    .columns(['status', 'id'])
    .execute()

  await db.schema
    .createTable('shipping_addresses')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('user_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('address_type', text, (col) => col.notNull())
    // A keyed hash of the address, so that one saved twice is one.
    .addColumn('address_hash', text, (col) => col.notNull())
    .addColumn('sealed_address', text, (col) => col.notNull())
    .addColumn('is_default', 'boolean', (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addUniqueConstraint('shipping_addresses_once', ['user_id', 'address_hash'])
    .execute()
}
