import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

export type LabelChoicesRow = Pick<
  Schema['labelChoices'],
  'lineId' | 'orderId' | 'sealedChoices' | 'updatedBy' | 'updatedAt'
> & { version: number }

/** The choices for the labels of an order's lines. */
export const listLabelChoices = (db: Db, orderId: string): Promise<LabelChoicesRow[]> =>
  db.selectFrom('labelChoices').selectAll().where('orderId', '=', orderId).orderBy('lineId').execute()

export async function findLabelChoices(db: Db, lineId: string): Promise<LabelChoicesRow | null> {
  const row = await db.selectFrom('labelChoices').selectAll().where('lineId', '=', lineId).executeTakeFirst()
  return row ?? null
}

/**
 * Stores the choices for a label at this version, 0 when there are none yet. Returns false when the
 * stored row has another version.
 */
export async function saveLabelChoices(db: Db, { version, ...row }: LabelChoicesRow): Promise<boolean> {
  if (version === 0) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('labelChoices')
      .values(row)
      .onConflict((conflict) => conflict.column('lineId').doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n
  }
  const { numUpdatedRows } = await db
    .updateTable('labelChoices')
    .set(({ eb }) => ({
      sealedChoices: row.sealedChoices,
      updatedBy: row.updatedBy,
      updatedAt: row.updatedAt,
      version: eb('version', '+', 1),
    }))
    .where('lineId', '=', row.lineId)
    .where('orderId', '=', row.orderId)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes the choices for the labels of a user's orders. */
export async function deleteUserLabelChoices(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('labelChoices')
    .where('orderId', 'in', (eb) => eb.selectFrom('orders').select('id').where('userId', '=', userId))
    .execute()
}
