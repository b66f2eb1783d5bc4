import { utcDay } from '#domain/days.ts'
import {
  deletePatient,
  findPatient,
  hasOpenLine,
  hasPrescription,
  savePatient,
} from '#db/patients/patients.ts'
import { findProfile, lockUser } from '#db/accounts/users.ts'
import { weightDay } from '#domain/accounts/profile.ts'
import { AppError } from '#domain/errors.ts'
import { isId, newId } from '#domain/ids.ts'
import { isSame } from '#domain/is-same.ts'
import { findMissing, type DependantInput } from '#domain/patients/dependant-fields.ts'
import { emptyRecord, patientBounds, type Dependant } from '#domain/patients/patient-record.ts'
import type { RecordView } from '#domain/patients/patient-view.ts'
import { openPerson } from '../accounts/get-profile.ts'
import { recordAudit, recordRead } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requestErasure } from '../crypto/request-erasure.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { requireUser } from '../require-user.ts'
import { getRecordView } from './get-record-view.ts'
import { readPatient, readPatients, type Patient } from './read-patients.ts'
import { sealRecord } from './sealed-record.ts'

/** A patient to choose: the customer, or someone they care for. */
export type PatientChoice = { id: string; name: string; isSelf: boolean }

/**
 * The signed-in customer and the people they care for, to choose from. Empty for a visitor. Names
 * only, so the read is not audited.
 */
export async function listPatientChoices(ctx: Context): Promise<PatientChoice[]> {
  if (!ctx.user) return []
  const { id: userId } = ctx.user
  const [key, row] = await Promise.all([openUserKey(ctx, userId), findProfile(ctx.db, userId)])
  if (!key || !row) return []
  const patients = await readPatients(ctx, key, openPerson(key, row))
  return patients.filter(({ isRemoved }) => !isRemoved).map(({ id, name, isSelf }) => ({ id, name, isSelf }))
}

/**
 * A dependant of the signed-in customer with their lists. The read is audited. Throws
 * UNAUTHENTICATED, and NOT_FOUND also for another customer's.
 */
export async function getDependant(
  ctx: Context,
  patientId: string,
): Promise<{ patient: Patient; view: RecordView }> {
  const { id: userId } = requireUser(ctx)
  const key = await openUserKey(ctx, userId)
  const patient = key && (await readPatient(ctx, key, { userId, patientId }))
  if (!patient || patient.isSelf || patient.isRemoved) throw new AppError('NOT_FOUND')
  await recordRead(ctx, { action: 'profile.read', subjectId: userId, objectId: patientId })
  return { patient, view: await getRecordView(ctx, patient) }
}

/**
 * Adds someone the signed-in customer cares for, or changes them; fields that are left out stay.
 * Returns their id. Throws UNAUTHENTICATED, NOT_FOUND, INVALID (firstName, dateOfBirth), and
 * CONFLICT when there are too many, or when the form has added someone with other details.
 * @param formId identifies the submitted form: submitting it again changes nothing
 */
export async function saveDependant(
  ctx: Context,
  { patientId, ...input }: DependantInput,
  formId: string = newId(ctx.now.getTime()),
): Promise<string> {
  const { id: userId } = requireUser(ctx)
  if (!isId(formId)) throw new AppError('BAD_REQUEST')
  const id = patientId ?? formId
  if (id === userId) throw new AppError('NOT_FOUND')
  await inTransaction(ctx, async (ctx) => {
    await lockUser(ctx.db, userId)
    const [key, row] = await Promise.all([openUserKey(ctx, userId), findProfile(ctx.db, userId)])
    if (!key || !row) throw new AppError('UNAUTHENTICATED')
    const [, ...dependants] = await readPatients(ctx, key, openPerson(key, row))
    const known = dependants.find((one) => one.id === id)
    if (patientId !== undefined && (!known || known.isRemoved)) throw new AppError('NOT_FOUND')
    if (patientId === undefined && known) {
      // The form that added them, again. It must not replace what was changed since, nor be lost.
      const again = applyChanges(null, input, utcDay(ctx.now))
      if (isSame({ ...known.record.dependant, weightOn: null }, { ...again, weightOn: null })) return
      throw new AppError(
        'CONFLICT',
        'You’ve already added this person. Open their page to change what is saved.',
      )
    }
    if (!known && dependants.filter(({ isRemoved }) => !isRemoved).length >= patientBounds.dependants) {
      throw new AppError('CONFLICT', `You can keep records for ${patientBounds.dependants} people.`)
    }
    const record = known?.record ?? emptyRecord
    const dependant = applyChanges(record.dependant, input, utcDay(ctx.now))
    await savePatient(ctx.db, {
      id,
      userId,
      sealedRecord: sealRecord(key, id, { ...record, dependant }),
      removedAt: null,
      now: ctx.now,
    })
    await recordAudit(ctx, { action: 'profile.updated', subjectId: userId, objectId: id })
    await requestErasure(ctx, 'value')
  })
  return id
}

const unknownPerson: Dependant = {
  firstName: '',
  lastName: null,
  dateOfBirth: null,
  gender: null,
  weight: null,
  weightOn: null,
  currentMedications: null,
  allergies: null,
}

function applyChanges(
  stored: Dependant | null,
  input: Omit<DependantInput, 'patientId'>,
  today: string,
): Dependant {
  const before = stored ?? unknownPerson
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  const after: Dependant = { ...before, ...given }
  const fields = findMissing(after)
  if (Object.keys(fields).length > 0) throw new AppError('INVALID', undefined, { fields })
  const weightOn = weightDay(before, { weight: after.weight, weightOn: input.weightOn }, today)
  return { ...after, weightOn }
}

/**
 * Removes someone the signed-in customer cares for. Whom a prescription names keeps their name and
 * birth date, which the pharmacy's records need; everything else goes. Removing them twice is fine.
 * Throws UNAUTHENTICATED, NOT_FOUND, and CONFLICT while an order for them is open.
 */
export async function removeDependant(ctx: Context, patientId: string): Promise<void> {
  const { id: userId } = requireUser(ctx)
  await inTransaction(ctx, async (ctx) => {
    await lockUser(ctx.db, userId)
    const key = await openUserKey(ctx, userId)
    const patient = key && (await readPatient(ctx, key, { userId, patientId }))
    if (!key || !patient || patient.isSelf) throw new AppError('NOT_FOUND')
    const { dependant } = patient.record
    if (await hasOpenLine(ctx.db, { id: patientId, userId })) {
      throw new AppError(
        'CONFLICT',
        'This person has an order that hasn’t shipped yet. You can remove them after it ships.',
      )
    }
    if (dependant && (await hasPrescription(ctx.db, { id: patientId, userId }))) {
      const { firstName, lastName, dateOfBirth } = dependant
      const remaining = { ...unknownPerson, firstName, lastName, dateOfBirth }
      const row = await findPatient(ctx.db, { id: patientId, userId })
      await savePatient(ctx.db, {
        id: patientId,
        userId,
        sealedRecord: sealRecord(key, patientId, { ...emptyRecord, dependant: remaining }),
        removedAt: row?.removedAt ?? ctx.now,
        now: ctx.now,
      })
    } else await deletePatient(ctx.db, { id: patientId, userId })
    await recordAudit(ctx, { action: 'profile.updated', subjectId: userId, objectId: patientId })
    await requestErasure(ctx, 'value')
  })
}
