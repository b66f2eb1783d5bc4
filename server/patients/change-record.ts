import { findPatient, savePatient } from '#db/patients/patients.ts'
import { lockUser } from '#db/accounts/users.ts'
import { utcDay } from '#domain/days.ts'
import { AppError } from '#domain/errors.ts'
import { newId } from '#domain/ids.ts'
import type {
  AddInput,
  EntryInput,
  NoAllergiesInput,
  PregnancyInput,
} from '#domain/patients/patient-inputs.ts'
import type { PatientList } from '#domain/patients/patient-labels.ts'
import {
  addEntry,
  dismiss,
  listUnconfirmed,
  meaningId,
  meaningOf,
  patientBounds,
  removeEntry,
  type PatientEntry,
  type PatientRecord,
} from '#domain/patients/patient-record.ts'
import { toNameView, type NameView } from '#domain/patients/patient-view.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import { requestErasure } from '../crypto/request-erasure.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { requireUser } from '../require-user.ts'
import { findExactName, suggestMedicineNames } from '../screening/medicine-names.ts'
import { readPatient, type Patient } from './read-patients.ts'
import { recognizeTexts } from './read-screened-patient.ts'
import { sealRecord } from './sealed-record.ts'

/** What a full list says. */
const fullList = `A list has at most ${patientBounds.entries} entries. Remove one first.`

/**
 * Changes a record of the signed-in customer, in a transaction that locks the customer, so that of
 * two changes neither is lost. Throws UNAUTHENTICATED, NOT_FOUND for another customer's patient.
 */
async function changeRecord(
  ctx: Context,
  patientId: string | undefined,
  change: (ctx: Context, patient: Patient) => Promise<PatientRecord> | PatientRecord,
): Promise<void> {
  const { id: userId } = requireUser(ctx)
  const id = patientId ?? userId
  await inTransaction(ctx, async (ctx) => {
    await lockUser(ctx.db, userId)
    const key = await openUserKey(ctx, userId)
    // Deleted since the session was read.
    if (!key) throw new AppError('UNAUTHENTICATED')
    const patient = await readPatient(ctx, key, { userId, patientId: id })
    if (!patient || patient.isRemoved) throw new AppError('NOT_FOUND')
    const record = await change(ctx, patient)
    const row = await findPatient(ctx.db, { id, userId })
    await savePatient(ctx.db, {
      id,
      userId,
      sealedRecord: sealRecord(key, id, record),
      removedAt: row?.removedAt ?? null,
      now: ctx.now,
    })
    await recordAudit(ctx, {
      action: 'profile.updated',
      subjectId: userId,
      ...(patient.isSelf ? {} : { objectId: id }),
    })
    await requestErasure(ctx, 'value')
  })
}

const newEntry = (
  { now }: Pick<Context, 'now'>,
  name: string,
  meaning: Pick<PatientEntry, 'ingredients' | 'groups'>,
): PatientEntry => ({ id: newId(now.getTime()), name, ...meaning, addedOn: utcDay(now) })

const add = (record: PatientRecord, list: PatientList, entry: PatientEntry): PatientRecord => {
  const changed = addEntry(record, list, entry)
  if (changed === null) throw new AppError('CONFLICT', fullList)
  return changed
}

/**
 * Adds a name to a list of the signed-in customer's record, or of a dependant's. Returns the names
 * to choose from when it is not clear which one is meant; none when no list has it. The same name
 * twice is added once. Throws UNAUTHENTICATED, NOT_FOUND, and CONFLICT when the list is full.
 */
export async function addToList(
  ctx: Context,
  { patientId, list, name, meaning }: AddInput,
): Promise<NameView[] | null> {
  requireUser(ctx)
  const unchecked = { ingredients: [], groups: [] }
  if (meaning === 'text') {
    await changeRecord(ctx, patientId, (ctx, { record }) => add(record, list, newEntry(ctx, name, unchecked)))
    return null
  }
  const names = await suggestMedicineNames(ctx, list, name)
  const chosen =
    meaning === undefined
      ? await findExactName(ctx, list, name)
      : (names.find((one) => meaningId(list, meaningOf(one)) === meaning) ?? null)
  if (!chosen) return names.map((one) => toNameView(list, one))
  await changeRecord(ctx, patientId, (ctx, { record }) =>
    add(record, list, newEntry(ctx, chosen.label, meaningOf(chosen))),
  )
  return null
}

/**
 * Confirms what the free text names: one name, or all of them. A name that the text no longer has
 * changes nothing. Throws UNAUTHENTICATED, NOT_FOUND, and CONFLICT when the list is full.
 */
export const confirmNames = (ctx: Context, { patientId, list, meaning }: EntryInput): Promise<void> =>
  changeRecord(ctx, patientId, async (ctx, patient) => {
    const texts = await recognizeTexts(ctx, patient)
    return listUnconfirmed(patient.record, list, texts[list])
      .filter((name) => meaning === undefined || meaningId(list, meaningOf(name)) === meaning)
      .reduce((record, name) => add(record, list, newEntry(ctx, name.label, meaningOf(name))), patient.record)
  })

/** Removes an entry, or drops a name that the free text has. Throws UNAUTHENTICATED, NOT_FOUND. */
export const removeFromList = (
  ctx: Context,
  { patientId, list, meaning, entryId }: EntryInput,
): Promise<void> =>
  changeRecord(ctx, patientId, async (ctx, patient) => {
    const texts = await recognizeTexts(ctx, patient)
    const { text } = texts[list]
    if (entryId !== undefined) return removeEntry(patient.record, list, { entryId, text })
    return listUnconfirmed(patient.record, list, texts[list])
      .map(meaningOf)
      .filter((one) => meaningId(list, one) === meaning)
      .reduce((record, one) => dismiss(record, list, { meaning: one, text }), patient.record)
  })

/**
 * Records that there are no known allergies, or takes it back. Throws UNAUTHENTICATED, NOT_FOUND,
 * and CONFLICT while the list has allergies or the text names some.
 */
export const setNoKnownAllergies = (ctx: Context, { patientId, none }: NoAllergiesInput): Promise<void> =>
  changeRecord(ctx, patientId, async (ctx, patient) => {
    const { record } = patient
    const { allergies } = await recognizeTexts(ctx, patient)
    const named = listUnconfirmed(record, 'allergies', allergies)
    if (none && record.allergies.length + named.length > 0)
      throw new AppError('CONFLICT', 'The list has allergies. Remove them first.')
    return { ...record, noKnownAllergies: none }
  })

/** Answers the questions about pregnancy and breastfeeding. Throws UNAUTHENTICATED, NOT_FOUND. */
export const answerPregnancy = (
  ctx: Context,
  { patientId, pregnant, breastfeeding }: PregnancyInput,
): Promise<void> =>
  changeRecord(ctx, patientId, (ctx, { record }) => ({
    ...record,
    pregnant,
    breastfeeding,
    answeredOn: pregnant === null && breastfeeding === null ? null : utcDay(ctx.now),
  }))
