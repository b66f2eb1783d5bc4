import { sql, type Kysely } from 'kysely'

/** Finds an order by its tracking number, in capitals and without spaces. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index orders_by_tracking_number
    on orders (upper(replace(tracking_number, ' ', ''))) where tracking_number is not null`.execute(db)
}
