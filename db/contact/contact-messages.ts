import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

/** Stores a message. Returns false when the same submission was stored before. */
export async function insertContactMessage(db: Db, message: Schema['contactMessages']): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('contactMessages')
    .values(message)
    .onConflict((conflict) => conflict.column('submissionHash').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
