import { AppError } from '#domain/errors.ts'
import type { RecordView } from '#domain/patients/patient-view.ts'
import { getUser } from '../accounts/update-user.ts'
import type { Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { getRecordView } from './get-record-view.ts'
import { readPatients, type Patient } from './read-patients.ts'

/** A patient of an account with their lists, as staff see them. */
export type UserRecord = Omit<Patient, 'record'> & { view: RecordView }

/**
 * The records of a user and of the people in their care, for staff who may read their health data:
 * `getUser` checks it and writes the audit row. Throws UNAUTHENTICATED, NOT_FOUND, REASON_REQUIRED.
 */
export async function getUserRecords(ctx: Context, id: string): Promise<UserRecord[]> {
  const { person } = await getUser(ctx, id)
  const key = await openUserKey(ctx, id)
  // Deleted since.
  if (!key) throw new AppError('NOT_FOUND')
  const patients = await readPatients(ctx, key, person)
  return Promise.all(
    patients
      .filter(({ isRemoved }) => !isRemoved)
      .map(async (patient): Promise<UserRecord> => {
        const { record: _, ...facts } = patient
        return { ...facts, view: await getRecordView(ctx, patient) }
      }),
  )
}
