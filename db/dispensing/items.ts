import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

export type ItemRow = Selectable<Schema['prescriptionItems']>

export async function insertItem(db: Db, row: Insertable<Schema['prescriptionItems']>): Promise<void> {
  await db.insertInto('prescriptionItems').values(row).execute()
}

/**
 * A user's items of approved prescriptions, the oldest first. Without those of dependants whom the
 * user removed: the record that an order is checked against is gone.
 */
export const listUsableItems = (db: Db, userId: string): Promise<ItemRow[]> =>
  db
    .selectFrom('prescriptionItems')
    .innerJoin('prescriptions', 'prescriptions.id', 'prescriptionItems.prescriptionId')
    .leftJoin('patients', (join) =>
      join
        .onRef('patients.id', '=', 'prescriptions.patientId')
        .onRef('patients.userId', '=', 'prescriptions.userId'),
    )
    .selectAll('prescriptionItems')
    .where('prescriptionItems.userId', '=', userId)
    .where('prescriptions.status', '=', 'approved')
    .where('patients.removedAt', 'is', null)
    .orderBy('prescriptionItems.id')
    .execute()

/** All items of a user, also of prescriptions that are under review or were rejected. */
export const listItems = (db: Db, userId: string): Promise<ItemRow[]> =>
  db.selectFrom('prescriptionItems').selectAll().where('userId', '=', userId).orderBy('id').execute()

/** The items of a prescription, in the order of their transcription. */
export const listItemsOfPrescription = (db: Db, prescriptionId: string): Promise<ItemRow[]> =>
  db
    .selectFrom('prescriptionItems')
    .selectAll()
    .where('prescriptionId', '=', prescriptionId)
    .orderBy('id')
    .execute()

export async function findItem(db: Db, id: string): Promise<ItemRow | null> {
  const row = await db.selectFrom('prescriptionItems').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/**
 * Replaces an item that is still at this version, and raises the version. Returns false when it is
 * not: another fill or edit came first.
 */
export async function updateItem(
  db: Db,
  {
    id,
    version,
    ...changes
  }: Pick<ItemRow, 'id' | 'version' | 'updatedAt'> & Partial<Pick<ItemRow, 'status' | 'sealedItem'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('prescriptionItems')
    .set({ ...changes, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
