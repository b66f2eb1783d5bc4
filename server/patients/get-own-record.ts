import type { RecordView } from '#domain/patients/patient-view.ts'
import { AppError } from '#domain/errors.ts'
import { getProfile, type Person } from '../accounts/get-profile.ts'
import type { Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { getRecordView } from './get-record-view.ts'
import { readPatients } from './read-patients.ts'

/** The profile with its lists, and the people that the customer cares for. */
type OwnRecord = { person: Person; view: RecordView; people: { id: string; name: string }[] }

/** The signed-in user's profile with their lists. The read is audited. Throws UNAUTHENTICATED. */
export async function getOwnRecord(ctx: Context): Promise<OwnRecord> {
  const person = await getProfile(ctx)
  const key = await openUserKey(ctx, person.id)
  if (!key) throw new AppError('UNAUTHENTICATED')
  const [self, ...dependants] = await readPatients(ctx, key, person)
  return {
    person,
    view: await getRecordView(ctx, self),
    people: dependants.filter(({ isRemoved }) => !isRemoved).map(({ id, name }) => ({ id, name })),
  }
}
