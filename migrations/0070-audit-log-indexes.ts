import { sql, type Kysely } from 'kysely'

/**
 * For reading the audit log: what a member of the staff did to other people's data and to the
 * shop's, and who the staff are. The rows of customers about themselves, which are most of the log,
 * are not in the index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('audit_log_by_actor')
    // A large shop creates it before the deploy, while orders go on (docs/operations.md).
    .ifNotExists()
    .on('audit_log')
    .columns(['actor_id', 'id'])
    .where(sql<boolean>`actor_id <> subject_id`)
    .execute()
  await db.schema
    .createIndex('users_with_roles')
    .ifNotExists()
    .on('users')
    .column('id')
    .where(sql<boolean>`roles <> ''`)
    .execute()
}
