import { findProfile } from '#db/accounts/users.ts'
import { listPatients, type PatientRow } from '#db/patients/patients.ts'
import { displayName } from '#domain/accounts/accounts.ts'
import { emptyRecord, type Dependant, type PatientRecord } from '#domain/patients/patient-record.ts'
import { openPerson, type Person } from '../accounts/get-profile.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { openRecord } from './sealed-record.ts'

/** A patient with everything their record says: the customer, or someone they care for. */
export type Patient = Omit<Dependant, 'firstName'> & {
  id: string
  /** The customer whose account has the record. */
  userId: string
  isSelf: boolean
  isRemoved: boolean
  firstName: string | null
  /** First and last name; "Account" for a customer without one. */
  name: string
  record: PatientRecord
}

/**
 * The customer and their dependants, in this order; removed ones last. Unrecorded: the caller
 * writes the audit row.
 * @param key the customer's
 */
export async function readPatients(
  { db }: Pick<Context, 'db'>,
  key: KeyRing,
  person: Person,
): Promise<[self: Patient, ...dependants: Patient[]]> {
  const rows = await listPatients(db, person.id)
  const own = rows.find(({ id }) => id === person.id)
  const dependants = rows.flatMap((row): Patient[] => {
    const record = openRecord(key, row)
    const { dependant } = record
    if (row.id === person.id || dependant === null) return []
    const isRemoved = row.removedAt !== null
    const { id, userId } = row
    return [{ ...dependant, id, userId, isSelf: false, isRemoved, name: displayName(dependant), record }]
  })
  return [
    {
      id: person.id,
      userId: person.id,
      isSelf: true,
      isRemoved: false,
      firstName: person.firstName,
      lastName: person.lastName,
      name: displayName(person),
      dateOfBirth: person.dateOfBirth,
      gender: person.gender,
      weight: person.weight,
      weightOn: person.weightOn,
      currentMedications: person.currentMedications,
      allergies: person.allergies,
      record: own ? openRecord(key, own) : emptyRecord,
    },
    ...dependants.filter(({ isRemoved }) => !isRemoved),
    ...dependants.filter(({ isRemoved }) => isRemoved),
  ]
}

/** One of a customer's patients; null when there is none with this id. Unrecorded. */
export async function readPatient(
  ctx: Pick<Context, 'db'>,
  key: KeyRing,
  { userId, patientId }: { userId: string; patientId: string },
): Promise<Patient | null> {
  const row = await findProfile(ctx.db, userId)
  if (!row) return null
  const patients = await readPatients(ctx, key, openPerson(key, row))
  return patients.find(({ id }) => id === patientId) ?? null
}

/** The names of a customer's dependants, removed ones too, by id. Unrecorded. */
export async function readPatientNames(
  ctx: Pick<Context, 'db' | 'keys'>,
  userId: string,
): Promise<Map<string, string>> {
  const [key, rows] = await Promise.all([openUserKey(ctx, userId), listPatients(ctx.db, userId)])
  if (!key) return new Map()
  return new Map(
    rows.flatMap((row) => {
      const name = openDependantName(key, row)
      return name === null ? [] : [[row.id, name] as const]
    }),
  )
}

/** A dependant's name; null for the customer's own row. Unrecorded. */
export function openDependantName(key: KeyRing, row: PatientRow): string | null {
  const { dependant } = openRecord(key, row)
  return dependant && displayName(dependant)
}
