import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** Accounts can be suspended, and an audit row can have a detail: a device, a network, a reason. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`

  await db.schema.alterTable('users').addColumn('suspended_at', 'timestamptz').execute()

  await db.schema
    .createTable('audit_details')
    .addColumn('audit_id', text, (col) => col.primaryKey())
    // Null for an address without an account.
    .addColumn('user_id', text, (col) => col.references('users.id').onDelete('cascade'))
    // Sealed under the user's key, so it is destroyed with the account.
    .addColumn('sealed_detail', text)
    // The masked network of an attempt on an address without an account.
    .addColumn('network', text)
    .execute()
  await db.schema.createIndex('audit_details_by_user').on('audit_details').column('user_id').execute()

  // Details are deleted with their user, and never change.
  if (postgres) {
    await sql`
      create trigger audit_details_no_update before update on audit_details
      for each statement execute function refuse_change()
    `.execute(db)
  } else {
    await sql`
      create trigger audit_details_no_update before update on audit_details
      begin select raise(abort, 'audit_details is append-only'); end
    `.execute(db)
  }
}
