import type { Selectable } from 'kysely'
import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

export type AlertDecisionRow = Selectable<Schema['alertDecisions']>

export async function insertAlertDecision(db: Db, row: AlertDecisionRow): Promise<void> {
  await db.insertInto('alertDecisions').values(row).execute()
}

/** All decisions about a customer and the people they care for, the oldest first. */
export const listAlertDecisions = (db: Db, userId: string): Promise<AlertDecisionRow[]> =>
  db.selectFrom('alertDecisions').selectAll().where('userId', '=', userId).orderBy('id').execute()
