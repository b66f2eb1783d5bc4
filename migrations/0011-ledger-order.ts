import { sql, type Kysely } from 'kysely'

/**
 * The order of a variant's ledger. Processes' clocks differ by milliseconds, so the time of a row cannot say which of two came
 * second; the variant's own row, which every change locks, can.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The time of the variant's newest ledger row, in milliseconds since 1970; each row is written at least one later.
  await sql`alter table product_variants add column ledger_ms bigint not null default 0`.execute(db)
}
