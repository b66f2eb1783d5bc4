import { sql, type Kysely } from 'kysely'

/** So that deleting old rows reads only those. Otherwise it would read each table whole, hourly. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index payment_events_handled on payment_events (handled_at) where handled_at is not null`.execute(
    db,
  )
  await sql`create index outbox_ended on outbox (created_at) where sent_at is not null or failed_at is not null`.execute(
    db,
  )
  await sql`create index contact_messages_by_time on contact_messages (created_at)`.execute(db)
  await sql`create index record_accesses_by_end on record_accesses (expires_at)`.execute(db)
}
