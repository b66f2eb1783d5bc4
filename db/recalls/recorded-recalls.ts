import { toLotKey } from '#domain/screening/recall-codes.ts'
import { endedStatus } from '#domain/screening/recall-outcome.ts'
import { unknownClass } from '#domain/screening/recorded-recall.ts'
import { recordedRecalls, type Recall } from '#domain/screening/recall.ts'
import { sql, type Insertable } from 'kysely'
import type { Db } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import type { Schema } from '../schema/schema.ts'

/** Recalls that staff record before the agency lists them. */

const classes = ['I', 'II', 'III'] as const

/**
 * Adds a recall that staff recorded. Returns false when it is already there. A class that is not
 * known is stored as the worst, which releases before this one show.
 */
export async function insertRecordedRecall(db: Db, recall: Recall): Promise<boolean> {
  const { codes, lots, recallClass, ...row } = recall
  const added = await db
    .insertInto('careRecalls')
    .values({
      ...row,
      eventId: '-',
      recallClass: classes.find((one) => one === recallClass) ?? 'I',
      classKnown: recallClass !== unknownClass,
      terminated: null,
      distribution: null,
      ingredients: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows === 0n) return false
  await db
    .insertInto('careRecallPackages')
    .values(codes.map((ndc) => ({ recallId: recall.id, ndc })))
    .execute()
  if (lots.length > 0)
    await db
      .insertInto('careRecallLots')
      .values(lots.map((lot) => ({ recallId: recall.id, lot, lotKey: toLotKey(lot) })))
      .execute()
  return true
}

/** Ends a recorded recall. Returns false when there is none, or it has ended. */
export async function endRecordedRecall(
  db: Db,
  { id, terminated }: { id: string; terminated: string },
): Promise<boolean> {
  const ended = await db
    .updateTable('careRecalls')
    .set({ status: endedStatus, terminated })
    .where('id', '=', id)
    .where('list', '=', recordedRecalls)
    .where('status', '<>', endedStatus)
    .executeTakeFirst()
  return ended.numUpdatedRows === 1n
}

export async function insertRecallEvent(db: Db, event: Insertable<Schema['recallEvents']>): Promise<void> {
  await db.insertInto('recallEvents').values(event).execute()
}

/** When staff recorded and ended these recalls. */
export const listRecallEventTimes = (
  db: Db,
  recallIds: readonly string[],
): Promise<Pick<Schema['recallEvents'], 'recallId' | 'action' | 'at'>[]> =>
  db
    .selectFrom('recallEvents')
    .select(['recallId', 'action', 'at'])
    .where(isOneOf(db, 'recall_id', sql`${JSON.stringify(recallIds)}`))
    .execute()

/** Who recorded a recall and who ended it. */
export const listRecallEvents = (db: Db, recallId: string) =>
  db.selectFrom('recallEvents').selectAll().where('recallId', '=', recallId).execute()

/** The event with this id, or null. */
export async function findRecallEvent(db: Db, id: string) {
  const event = await db.selectFrom('recallEvents').selectAll().where('id', '=', id).executeTakeFirst()
  return event ?? null
}
