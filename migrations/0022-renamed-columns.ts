import type { Kysely } from 'kysely'

/**
 * Columns with names that docs/glossary.md retired. Both engines update the indexes, constraints
 * and triggers on a renamed column; those keep their own names.
 */
const renamed = [
  ['pharmacies', 'licence_number', 'license_number'],
  ['pharmacies', 'licence_expiry', 'license_expiry'],
  ['variant_identifiers', 'code', 'value'],
  ['catalog_import', 'beat_at', 'heartbeat_at'],
  ['prescription_questions', 'asked_by', 'author_id'],
  ['prescription_questions', 'asked_at', 'created_at'],
] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, from, to] of renamed) {
    await db.schema.alterTable(table).renameColumn(from, to).execute()
  }
}
