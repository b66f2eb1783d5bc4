import type { Db } from '../engine/client.ts'
import type { Schema } from '../schema/schema.ts'

export async function insertRecordAccess(db: Db, access: Schema['recordAccesses']): Promise<void> {
  await db.insertInto('recordAccesses').values(access).execute()
}

/** Whether the staff member gave a reason to open this patient's record that still holds. */
export async function hasRecordAccess(
  db: Db,
  { staffId, patientId, now }: { staffId: string; patientId: string; now: Date },
): Promise<boolean> {
  const row = await db
    .selectFrom('recordAccesses')
    .select('id')
    .where('patientId', '=', patientId)
    .where('staffId', '=', staffId)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Whether a patient has an open case: a prescription under review or decided since `decidedSince`,
 * an order with prescription medicines that has not shipped, or a message that waits for the
 * pharmacy.
 */
export async function hasOpenCase(
  db: Db,
  { patientId, decidedSince }: { patientId: string; decidedSince: Date },
): Promise<boolean> {
  const prescription = db
    .selectFrom('prescriptions')
    .select('id')
    .where('userId', '=', patientId)
    .where((row) => row.or([row('status', '=', 'under_review'), row('decidedAt', '>', decidedSince)]))
    .limit(1)
  const order = db
    .selectFrom('orders')
    .select('id')
    .where('userId', '=', patientId)
    .where('hasRx', '=', true)
    .where('status', 'in', ['pending', 'processing'])
    .limit(1)
  const message = db
    .selectFrom('messageThreads')
    .select('subjectId')
    .where('userId', '=', patientId)
    .where('waitingFor', '=', 'pharmacy')
    .limit(1)
  for (const query of [prescription, order, message])
    if ((await query.executeTakeFirst()) !== undefined) return true
  return false
}
