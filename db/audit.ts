import type { Db } from './client.ts'
import type { Schema } from './schema/schema.ts'

/** Appends to the log, and to what the chaining job has still to take. */
export async function insertAudit(db: Db, row: Schema['auditLog']): Promise<void> {
  await db.insertInto('auditLog').values(row).execute()
  await db.insertInto('auditPending').values({ auditId: row.id }).execute()
}
