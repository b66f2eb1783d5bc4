import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * Messages between a customer and the pharmacy about an order or a prescription. Earlier questions
 * about prescriptions stay where they are, because their texts are bound to their table; a thread
 * shows them first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('message_threads')
    // The id of the order or prescription that it is about.
    .addColumn('subject_id', text, (col) => col.primaryKey())
    .addColumn('user_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    // One of them is null.
    .addColumn('order_id', text, (col) => col.references('orders.id').onDelete('cascade'))
    .addColumn('prescription_id', text, (col) => col.references('prescriptions.id').onDelete('cascade'))
    // Who writes next: 'pharmacy', 'customer' or 'none'.
    .addColumn('waiting_for', text, (col) => col.notNull())
    .addColumn('updated_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('message_threads_by_user').on('message_threads').column('user_id').execute()
  await db.schema.createIndex('message_threads_by_order').on('message_threads').column('order_id').execute()
  await db.schema
    .createIndex('message_threads_by_prescription')
    .on('message_threads')
    .column('prescription_id')
    .execute()
  await sql`create index message_threads_to_answer on message_threads (updated_at, subject_id)
    where waiting_for = 'pharmacy'`.execute(db)

  await db.schema
    .createTable('messages')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('subject_id', text, (col) =>
      col.notNull().references('message_threads.subject_id').onDelete('cascade'),
    )
    .addColumn('sender', text, (col) => col.notNull())
    .addColumn('author_id', text, (col) => col.notNull())
    // Sealed for the customer.
    .addColumn('sealed_text', text, (col) => col.notNull())
    // Names one submission of a form, so that a second one of the same stores nothing.
    .addColumn('request_key', text, (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema
    .createIndex('messages_by_request')
    .unique()
    .on('messages')
    .columns(['subject_id', 'request_key'])
    .execute()

  // Prescriptions with earlier questions: the last one says who writes next.
  await sql`insert into message_threads (subject_id, user_id, prescription_id, waiting_for, updated_at)
    select prescriptions.id, prescriptions.user_id, prescriptions.id,
      case when prescriptions.status <> 'under_review' then 'none'
        when last.answered_at is null then 'customer' else 'pharmacy' end,
      coalesce(last.answered_at, last.created_at)
    from prescriptions inner join prescription_questions as last
      on last.id = (select max(id) from prescription_questions as q where q.prescription_id = prescriptions.id)`.execute(
    db,
  )
}
