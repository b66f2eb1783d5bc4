import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * Who has an account: keys, users, sessions, one-time links, and the log of who saw what. What says something about a person
 * stands sealed under the user's own key, which itself stands sealed under the shop's.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`

  await db.schema
    .createTable('shop_keys')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('wrapped_key', text, (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .execute()

  await db.schema
    .createTable('users')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('email_hash', text, (col) => col.notNull().unique())
    // Not unique: a household may share one.
    .addColumn('cell_phone_hash', text)
    .addColumn('sealed_email', text, (col) => col.notNull())
    .addColumn('sealed_name', text, (col) => col.notNull())
    .addColumn('sealed_profile', text, (col) => col.notNull())
    // Null where an identity provider signs in.
    .addColumn('password_hash', text)
    .addColumn('oidc_subject_hash', text, (col) => col.unique())
    .addColumn('is_admin', 'boolean', (col) => col.notNull())
    .addColumn('email_confirmed_at', 'timestamptz')
    .addColumn('sealed_totp_secret', text)
    .addColumn('totp_confirmed_at', 'timestamptz')
    // The step of the last code taken, so that none is taken twice (RFC 6238, 5.2).
    .addColumn('totp_last_step', 'bigint')
    .addColumn('id_document_file_id', text)
    .addColumn('version', 'integer', (col) => col.notNull().defaultTo(1))
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('updated_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('users_by_cell_phone').on('users').column('cell_phone_hash').execute()

  // No foreign key: destroying it is what destroys the data, and stands on its own.
  await db.schema
    .createTable('user_keys')
    .addColumn('user_id', text, (col) => col.primaryKey())
    .addColumn('wrapped_key', text, (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .execute()

  await db.schema
    .createTable('sessions')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('token_hash', text, (col) => col.notNull().unique())
    .addColumn('user_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('sealed_device', text, (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('last_seen_at', 'timestamptz', (col) => col.notNull())
    .addColumn('expires_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('sessions_by_user').on('sessions').column('user_id').execute()
  await db.schema.createIndex('sessions_by_expiry').on('sessions').column('expires_at').execute()

  await db.schema
    .createTable('one_time_tokens')
    .addColumn('token_hash', text, (col) => col.primaryKey())
    .addColumn('purpose', text, (col) => col.notNull())
    .addColumn('user_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('sealed_detail', text)
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('expires_at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('one_time_tokens_by_user').on('one_time_tokens').column('user_id').execute()
  await db.schema
    .createIndex('one_time_tokens_by_expiry')
    .on('one_time_tokens')
    .column('expires_at')
    .execute()

  await db.schema
    .createTable('recovery_codes')
    .addColumn('user_id', text, (col) => col.notNull().references('users.id').onDelete('cascade'))
    .addColumn('code_hash', text, (col) => col.notNull())
    .addPrimaryKeyConstraint('recovery_codes_pk', ['user_id', 'code_hash'])
    .execute()

  await db.schema
    .createTable('audit_log')
    .addColumn('id', text, (col) => col.primaryKey())
    .addColumn('actor_id', text)
    .addColumn('subject_id', text, (col) => col.notNull())
    .addColumn('action', text, (col) => col.notNull())
    .addColumn('object_id', text)
    .addColumn('request_id', text, (col) => col.notNull())
    .addColumn('at', 'timestamptz', (col) => col.notNull())
    .execute()
  await db.schema.createIndex('audit_log_by_subject').on('audit_log').columns(['subject_id', 'id']).execute()
  await db.schema
    .createTable('audit_chain')
    .addColumn('seq', 'bigint', (col) => col.primaryKey())
    .addColumn('audit_id', text, (col) => col.notNull().unique())
    .addColumn('hash', text, (col) => col.notNull())
    .execute()
  // Written by the log's own trigger and taken by the chaining job, so that it need not look for what it has not seen.
  await db.schema
    .createTable('audit_pending')
    .addColumn('audit_id', text, (col) => col.primaryKey())
    .execute()

  await sql`alter table carts add column user_id ${text} references users (id) on delete cascade`.execute(db)
  await db.schema.createIndex('carts_by_user').unique().on('carts').column('user_id').execute()

  if (postgres) {
    await sql`
      create function await_chaining() returns trigger language plpgsql as
      $$ begin insert into audit_pending values (new.id); return null; end $$
    `.execute(db)
    await sql`
      create trigger audit_log_await_chaining after insert on audit_log for each row execute function await_chaining()
    `.execute(db)
  } else {
    await sql`
      create trigger audit_log_await_chaining after insert on audit_log
      begin insert into audit_pending values (new.id); end
    `.execute(db)
  }

  // Appended to and never changed, whoever asks.
  if (postgres) {
    await sql`
      create function refuse_change() returns trigger language plpgsql as
      $$ begin raise exception '% is append-only', tg_table_name; end $$
    `.execute(db)
  }
  for (const table of ['audit_log', 'audit_chain']) {
    if (postgres) {
      await sql`
        create trigger ${sql.id(`${table}_append_only`)} before update or delete or truncate on ${sql.table(table)}
        for each statement execute function refuse_change()
      `.execute(db)
      continue
    }
    for (const verb of ['update', 'delete']) {
      await sql`
        create trigger ${sql.id(`${table}_no_${verb}`)} before ${sql.raw(verb)} on ${sql.table(table)}
        begin select raise(abort, ${sql.lit(`${table} is append-only`)}); end
      `.execute(db)
    }
  }
}
