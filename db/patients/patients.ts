import { sql, type Insertable, type Selectable } from 'kysely'
import { prepareQuery, type Db, type Params } from '../engine/client.ts'
import { isOneOf } from '../engine/sql.ts'
import type { Schema } from '../schema/schema.ts'

export type PatientRow = Selectable<Schema['patients']>

const ofUser = prepareQuery((db, p: Params<{ userId: string }>) =>
  db.selectFrom('patients').selectAll().where('userId', '=', p.userId).orderBy('createdAt').orderBy('id'),
)

/** All records of a customer: their own, if any, and their dependants', the oldest first. */
export const listPatients = (db: Db, userId: string): Promise<PatientRow[]> => ofUser(db, { userId })

/** The records with these ids, of any customer. */
export const findPatients = (db: Db, ids: readonly string[]): Promise<PatientRow[]> =>
  db
    .selectFrom('patients')
    .selectAll()
    .where(isOneOf(db, 'id', sql`${JSON.stringify(ids)}`))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** A record of a customer; null when it is not theirs or does not exist. */
export async function findPatient(
  db: Db,
  { id, userId }: { id: string; userId: string },
): Promise<PatientRow | null> {
  const row = await db
    .selectFrom('patients')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/** The same; null also for a dependant whom the customer removed. */
export async function findCurrentPatient(
  db: Db,
  patient: { id: string; userId: string },
): Promise<PatientRow | null> {
  const row = await findPatient(db, patient)
  return row?.removedAt === null ? row : null
}

/** Stores a record or replaces it, in the transaction that locked the customer. */
export async function savePatient(
  db: Db,
  row: Pick<Insertable<Schema['patients']>, 'id' | 'userId' | 'sealedRecord' | 'removedAt'> & { now: Date },
): Promise<void> {
  const { id, userId, sealedRecord, removedAt, now } = row
  await db
    .insertInto('patients')
    .values({ id, userId, sealedRecord, removedAt, version: 1, createdAt: now, updatedAt: now })
    .onConflict((conflict) =>
      conflict.columns(['userId', 'id']).doUpdateSet((eb) => ({
        sealedRecord,
        removedAt,
        updatedAt: now,
        version: eb('patients.version', '+', 1),
      })),
    )
    .execute()
}

export async function deletePatient(db: Db, { id, userId }: { id: string; userId: string }): Promise<void> {
  await db.deleteFrom('patients').where('id', '=', id).where('userId', '=', userId).execute()
}

type PatientKey = { id: string; userId: string }

/** Whether a prescription is for this dependant. */
export async function hasPrescription(db: Db, { id, userId }: PatientKey): Promise<boolean> {
  const row = await db
    .selectFrom('prescriptions')
    .select('id')
    .where('userId', '=', userId)
    .where('patientId', '=', id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether an order that has not shipped has a prescription line for this dependant. */
export async function hasOpenLine(db: Db, { id, userId }: PatientKey): Promise<boolean> {
  const row = await db
    .selectFrom('lineReviews')
    .innerJoin('orders', 'orders.id', 'lineReviews.orderId')
    .select('lineReviews.lineId')
    .where('orders.userId', '=', userId)
    .where('orders.status', 'in', ['pending', 'processing'])
    .where('lineReviews.patientId', '=', id)
    .where('lineReviews.status', '!=', 'refused')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
