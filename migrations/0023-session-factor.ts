import { sql, type Kysely } from 'kysely'

/**
 * Sessions record that they gave a second factor, and the setup of one has a start. An earlier
 * session gave a code if its account had the factor when it opened.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('factor_verified_at', 'timestamptz').execute()
  await db.schema.alterTable('users').addColumn('totp_started_at', 'timestamptz').execute()
  await sql`update sessions set factor_verified_at = created_at where exists (select 1 from users
    where users.id = sessions.user_id and users.totp_confirmed_at < sessions.created_at)`.execute(db)
}
