import { sql, type Selectable } from 'kysely'
import type { Db } from '../engine/client.ts'
import { countRows } from '../engine/count-rows.ts'
import { isOneOf } from '../engine/sql.ts'
import type { Schema } from '../schema/schema.ts'

export type RecallNoticeRow = Selectable<Schema['recallNotices']>

/** Stores a notice. Returns false when the order already had one about the recall. */
export async function insertRecallNotice(db: Db, notice: RecallNoticeRow): Promise<boolean> {
  const rows = await db
    .insertInto('recallNotices')
    .values(notice)
    .onConflict((conflict) => conflict.columns(['recallKey', 'orderKey']).doNothing())
    .returning('id')
    .execute()
  return rows.length > 0
}

/** The notices with one of these keys. */
export const listRecallNotices = (
  db: Db,
  column: 'recallKey' | 'orderKey' | 'personKey',
  keys: readonly string[],
): Promise<RecallNoticeRow[]> =>
  db
    .selectFrom('recallNotices')
    .selectAll()
    .where(
      isOneOf(
        db,
        { recallKey: 'recall_key', orderKey: 'order_key', personKey: 'person_key' }[column],
        sql`${JSON.stringify(keys)}`,
      ),
    )
    .orderBy('id')
    .execute()

/** A page of the notices about a recall, oldest first, and how many there are before and in all. */
export async function listNoticesOfRecall(
  db: Db,
  recallKey: string,
  { after, limit }: { after: string; limit: number },
): Promise<{ rows: RecallNoticeRow[]; before: number; total: number }> {
  const ofRecall = db.selectFrom('recallNotices').where('recallKey', '=', recallKey)
  const rows = await ofRecall.selectAll().where('id', '>', after).orderBy('id').limit(limit).execute()
  const before = after === '' ? 0 : await countRows(db, ofRecall.where('id', '<=', after))
  return { rows, before, total: await countRows(db, ofRecall) }
}

export type MailState = { id: string; sentAt: Date | null; failedAt: Date | null }

/** The delivery state of these emails. */
export const listMailStates = (db: Db, ids: readonly string[]): Promise<MailState[]> =>
  db
    .selectFrom('outbox')
    .select(['id', 'sentAt', 'failedAt'])
    .where(isOneOf(db, 'id', sql`${JSON.stringify(ids)}`))
    .execute()
