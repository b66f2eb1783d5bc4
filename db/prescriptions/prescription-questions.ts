import { sql, type Selectable } from 'kysely'
import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'
import { isOneOf } from '../engine/sql.ts'

export type QuestionRow = Selectable<Schema['prescriptionQuestions']>

export async function insertQuestion(
  db: Db,
  question: Omit<QuestionRow, 'sealedAnswer' | 'answeredAt'>,
): Promise<void> {
  await db.insertInto('prescriptionQuestions').values(question).execute()
}

/** The questions about these prescriptions, the oldest first. */
export const listQuestions = (db: Db, prescriptionIds: readonly string[]): Promise<QuestionRow[]> =>
  db
    .selectFrom('prescriptionQuestions')
    .selectAll()
    .where(isOneOf(db, 'prescription_id', sql`${JSON.stringify(prescriptionIds)}`))
    .orderBy('id')
    .execute()

/** A question of any user, or null. */
export async function findQuestion(db: Db, id: string): Promise<QuestionRow | null> {
  const row = await db.selectFrom('prescriptionQuestions').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Stores the answer to an unanswered question. Returns false when it has been answered. */
export async function updateAnswer(
  db: Db,
  { id, sealedAnswer, now }: { id: string; sealedAnswer: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('prescriptionQuestions')
    .set({ sealedAnswer, answeredAt: now })
    .where('id', '=', id)
    .where('answeredAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
