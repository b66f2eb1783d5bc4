import { sql, type Selectable } from 'kysely'
import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'
import { isOneOf } from '../engine/sql.ts'

type QuestionRow = Selectable<Schema['prescriptionQuestions']>

/** Questions about these prescriptions from before message threads existed, oldest first. */
export const listQuestions = (db: Db, prescriptionIds: readonly string[]): Promise<QuestionRow[]> =>
  db
    .selectFrom('prescriptionQuestions')
    .selectAll()
    .where(isOneOf(db, 'prescription_id', sql`${JSON.stringify(prescriptionIds)}`))
    .orderBy('id')
    .execute()
