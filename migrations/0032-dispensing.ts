import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * What a prescription allows, and what was dispensed on it. Prescriptions get numbers in the order
 * of their upload. Earlier prescriptions have no items; their next order is transcribed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  // The last number given. One row, so that a number is never given twice.
  await db.schema
    .createTable('prescription_numbers')
    .addColumn('id', 'integer', (col) => col.primaryKey())
    .addColumn('last', 'integer', (col) => col.notNull())
    .execute()
  await db.schema.alterTable('prescriptions').addColumn('number', 'integer').execute()
  await sql`update prescriptions set number = (select count(*) from prescriptions as earlier
    where earlier.uploaded_at < prescriptions.uploaded_at
      or (earlier.uploaded_at = prescriptions.uploaded_at and earlier.id <= prescriptions.id))`.execute(db)
  await sql`insert into prescription_numbers (id, last)
    select 1, coalesce(max(number), 0) from prescriptions`.execute(db)
  await db.schema
    .createIndex('prescriptions_by_number')
    .unique()
    .on('prescriptions')
    .column('number')
    .execute()
  // The prescriber, the written date and how it was authenticated, sealed for the user.
  await db.schema.alterTable('prescriptions').addColumn('sealed_transcription', text).execute()
  // A keyed hash of the plain bytes, which finds the same file sent twice.
  await db.schema.alterTable('files').addColumn('content_hash', text).execute()
  await sql`create index files_by_content on files (content_hash) where content_hash is not null`.execute(db)

  await db.schema
    .createTable('prescription_items')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('prescription_id', text, (col) =>
      col.notNull().references('prescriptions.id').onDelete('cascade'),
    )
    .addColumn('user_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('status', text, (col) => col.notNull())
    .addColumn('sealed_item', text, (col) => col.notNull())
    .addColumn('transcribed_by', text, (col) => col.notNull())
    .addColumn('version', 'integer', (col) => col.notNull().defaultTo(1))
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('updated_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema
    .createIndex('prescription_items_by_user')
    .on('prescription_items')
    .column('user_id')
    .execute()
  await db.schema
    .createIndex('prescription_items_by_prescription')
    .on('prescription_items')
    .column('prescription_id')
    .execute()

  await db.schema
    .createTable('fills')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('item_id', text, (col) =>
      col.notNull().references('prescription_items.id').onDelete('cascade'),
    )
    // The checkout that reserved it; null when a pharmacist assigned it to an order's line.
    .addColumn('checkout_id', text)
    .addColumn('order_id', text)
    .addColumn('line_id', text, (col) => col.notNull())
    .addColumn('status', text, (col) => col.notNull())
    .addColumn('sealed_fill', text, (col) => col.notNull())
    .addColumn('pharmacist_id', text)
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('cleared_at', 'timestamptz')
    .addColumn('dispensed_at', 'timestamptz')
    .addColumn('released_at', 'timestamptz')
    .execute()
  await db.schema.createIndex('fills_by_item').on('fills').column('item_id').execute()
  await db.schema.createIndex('fills_by_checkout').on('fills').column('checkout_id').execute()
  await db.schema.createIndex('fills_by_order').on('fills').column('order_id').execute()
  // One line has at most one fill that counts.
  await sql`create unique index fills_of_line on fills (line_id) where status <> 'released'`.execute(db)

  await db.schema
    .createTable('line_reviews')
    .addColumn('line_id', text, (col) => col.primaryKey())
    .addColumn('order_id', text, (col) => col.notNull().references('orders.id').onDelete('cascade'))
    // Who takes the medicine. The customer, until there are dependants.
    .addColumn('patient_id', text, (col) => col.notNull())
    .addColumn('prescription_id', text)
    .addColumn('item_id', text)
    .addColumn('fill_id', text)
    .addColumn('status', text, (col) => col.notNull())
    // The reason and the notes, sealed under the shop's key like the order's lines.
    .addColumn('sealed_decision', text)
    .addColumn('decided_by', text)
    .addColumn('decided_at', 'timestamptz')
    .addColumn('checked_by', text)
    .addColumn('checked_at', 'timestamptz')
    .addColumn('version', 'integer', (col) => col.notNull().defaultTo(1))
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('line_reviews_by_order').on('line_reviews').column('order_id').execute()
  await sql`create index line_reviews_to_decide on line_reviews (created_at, order_id)
    where status in ('waiting', 'asked')`.execute(db)
  await db.schema
    .createIndex('line_reviews_by_prescription')
    .on('line_reviews')
    .column('prescription_id')
    .execute()

  // What a pharmacist has typed into a case, and who is looking at it.
  await db.schema
    .createTable('case_drafts')
    .addColumn('case_id', text, (col) => col.notNull())
    .addColumn('user_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    // The customer whose key seals the draft.
    .addColumn('patient_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('sealed_draft', text)
    .addColumn('seen_at', 'timestamptz', (col) => col.notNull())
    .addPrimaryKeyConstraint('case_drafts_pkey', ['case_id', 'user_id'])
    .execute()

  await db.schema
    .createTable('pharmacist_licenses')
    .addColumn('user_id', text, (col) => col.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('number', text, (col) => col.notNull())
    .addColumn('jurisdiction', text, (col) => col.notNull())
    .addColumn('recorded_by', text, (col) => col.notNull())
    .addColumn('recorded_at', 'timestamptz', (col) => col.notNull())
    .execute()
}
