import type { RecordView } from '#domain/patients/patient-view.ts'
import { AppError } from '#domain/errors.ts'
import { getProfile, type Person } from '../accounts/get-profile.ts'
import type { Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { getRecordView } from './get-record-view.ts'
import { readPatients } from './read-patients.ts'

/** The signed-in user's profile with their lists. The read is audited. Throws UNAUTHENTICATED. */
export async function getOwnRecord(ctx: Context): Promise<{ person: Person; view: RecordView }> {
  const person = await getProfile(ctx)
  const key = await openUserKey(ctx, person.id)
  if (!key) throw new AppError('UNAUTHENTICATED')
  const [self] = await readPatients(ctx, key, person)
  return { person, view: await getRecordView(ctx, self) }
}
