import { reopenLinesOfItem } from '#db/dispensing/line-reviews.ts'
import { findMedicines } from '#db/catalog/medicines.ts'
import { lockUser } from '#db/accounts/users.ts'
import { findPrescription, type PrescriptionRow } from '#db/prescriptions/prescriptions.ts'
import type { ItemInput, TranscriptionInput } from '#domain/dispensing/case-inputs.ts'
import { expandDirections } from '#domain/dispensing/expand-directions.ts'
import type { Item } from '#domain/dispensing/fill-rules.ts'
import { toAgreement, type ItemContent, type Transcription } from '#domain/dispensing/prescription-item.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import {
  findTranscriptionErrors,
  medicineOf,
  type ItemToCheck,
} from '#domain/dispensing/transcription-rules.ts'
import { AppError } from '#domain/errors.ts'
import { isSame } from '#domain/is-same.ts'
import { StaleEditError } from '#domain/stale-edit.ts'
import { patientOf, statusOn } from '#domain/prescriptions/prescriptions.ts'
import { inTransaction, type Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { readAllTherapy, type Therapy } from '../dispensing/read-therapy.ts'
import { requirePharmacist } from '../dispensing/require-pharmacist.ts'
import { createItem, replaceItem } from '../dispensing/store-item.ts'
import { readPatient } from '../patients/read-patients.ts'
import { getForReview } from '../prescriptions/get-for-review.ts'
import { readPrescriptionRow, readTranscription } from '../prescriptions/prescription-reader.ts'
import { storeTranscription } from '../prescriptions/store-transcription.ts'
import { deleteDraftPart } from './case-drafts.ts'
import { checkDuplicates, isNewNote } from './check-duplicates.ts'
import { getCase } from './get-case.ts'
import { toChosenMedicine } from './line-medicine.ts'

/** The prescription was changed or an item closed since the pharmacist saw it. */
class StaleTranscriptionError extends Error {}

/**
 * Stores what a pharmacist transcribed from a prescription's file and approves it. New medicines
 * become items; an edited one gets a new version, and what was cleared on it and has not shipped
 * returns to the queue. So does everything cleared on it when the patient's name or the prescriber
 * changes, or the authentication is withdrawn. Items that the input leaves out stay. Returns the
 * case. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, REASON_REQUIRED, INVALID by
 * field, CONFLICT for the pharmacist's own and for one that was rejected or has expired, and
 * CONFLICT with the current case when it has changed since `version`.
 */
export async function saveTranscription(ctx: Context, input: TranscriptionInput): Promise<ReviewCase> {
  const { row: seen, key } = await getForReview(ctx, input.prescriptionId)
  const { id, userId } = seen
  const pharmacist = await requirePharmacist(ctx, { userId, objectId: id })
  const caseId = input.caseId ?? id
  try {
    await inTransaction(ctx, async (ctx) => {
      // Serializes it with checkouts and other pharmacists, so that fills cannot change.
      const isStored = await lockUser(ctx.db, userId)
      const row = isStored ? await findPrescription(ctx.db, id) : null
      if (!row) throw new AppError('NOT_FOUND')
      if (row.version !== input.version) throw new StaleTranscriptionError()
      requireDecidable(ctx, key, row)
      const therapy = await readAllTherapy(ctx, key, userId)
      const items = await readItems(ctx, row, input.items, therapy)
      const coveredIds = await requireValid(ctx, key, row, input, { items, therapy })
      const earlier = readTranscription(key, row)
      const transcription = toTranscription(ctx, input, { earlier, coveredIds, by: pharmacist.id })
      if (!(await storeTranscription(ctx, key, row, { transcription, transcribedBy: pharmacist.id }))) {
        throw new StaleTranscriptionError()
      }
      for (const item of items) await storeItem(ctx, key, row, { item, transcription, by: pharmacist.id })
      const edited = new Set(items.map(({ input: { id } }) => id))
      const others = therapy.items.filter((item) => item.prescriptionId === id && !edited.has(item.id))
      for (const item of others) await updateHeader(ctx, key, item, transcription)
      if (earlier && endsClearances(earlier, transcription)) {
        const own = therapy.items.filter((item) => item.prescriptionId === id)
        for (const item of own) await reopenLinesOfItem(ctx.db, item.id)
      }
      await deleteDraftPart(ctx, key, { caseId, userId: pharmacist.id, part: id })
    })
  } catch (error) {
    if (!(error instanceof StaleTranscriptionError)) throw error
    const current = await getCase(ctx, caseId)
    throw new StaleEditError('Someone else just changed this prescription.', current, { cause: error })
  }
  return getCase(ctx, caseId)
}

function requireDecidable(ctx: Context, key: KeyRing, row: PrescriptionRow): void {
  const { expiryDate } = readPrescriptionRow(key, row, ctx.now)
  if (row.status === 'rejected') {
    throw new AppError('CONFLICT', 'This prescription was rejected. Return it to review first.')
  }
  if (statusOn(ctx.now, { status: row.status, expiryDate }) === 'expired') {
    throw new AppError('CONFLICT', 'This prescription has expired by the date that the customer entered.')
  }
}

/** Each item of the input with its earlier version and its chosen medicine. */
async function readItems(
  ctx: Context,
  row: PrescriptionRow,
  inputs: readonly ItemInput[],
  therapy: Therapy,
): Promise<ItemToCheck[]> {
  const variantIds = inputs.flatMap(({ variantId }) => variantId ?? [])
  const variants = new Map((await findMedicines(ctx.db, variantIds)).map((variant) => [variant.id, variant]))
  return inputs.map((input) => {
    const earlier = input.id === null ? null : findEarlier(row, input, therapy)
    const variant = input.variantId === null ? undefined : variants.get(input.variantId)
    return { input, earlier, chosen: variant ? toChosenMedicine(variant) : null }
  })
}

/**
 * The item as it is stored now. Its version is not compared with the form's: every fill raises it,
 * and a refill that the customer orders must not refuse an edit. A saved transcription raises the
 * prescription's version, which was compared. Two changes raise the item's alone: closing it, which
 * is a conflict here, and an agreement that clears a line, which the edit keeps with its own.
 */
function findEarlier(row: PrescriptionRow, { id }: ItemInput, { items }: Therapy): Item {
  const earlier = items.find((item) => item.id === id && item.prescriptionId === row.id)
  if (!earlier) throw new AppError('NOT_FOUND')
  if (earlier.status === 'closed') throw new StaleTranscriptionError()
  return earlier
}

/** Returns the prescriptions that the note on duplicates covers. Throws INVALID by field. */
async function requireValid(
  ctx: Context,
  key: KeyRing,
  row: PrescriptionRow,
  input: TranscriptionInput,
  { items, therapy }: { items: readonly ItemToCheck[]; therapy: Therapy },
): Promise<string[]> {
  const patient = await readPatient(ctx, key, { userId: row.userId, patientId: patientOf(row) })
  if (!patient) throw new AppError('NOT_FOUND')
  const accountName = patient.name
  const edited = new Set(items.map(({ input: { id } }) => id))
  const otherItems = therapy.items.filter(
    ({ id, prescriptionId, status }) => prescriptionId === row.id && status === 'active' && !edited.has(id),
  )
  const { fills } = therapy
  const errors = findTranscriptionErrors(input, { items, otherItems, fills, accountName, now: ctx.now })
  const earlier = readTranscription(key, row)
  const duplicates = await checkDuplicates(ctx, key, row, { input, items, allItems: therapy.items, earlier })
  const fields = { ...errors, ...duplicates.errors }
  if (Object.keys(fields).length > 0) throw new AppError('INVALID', undefined, { fields })
  return duplicates.coveredIds
}

/**
 * The transcription to store. What was decided before and is unchanged keeps its pharmacist and
 * time.
 */
function toTranscription(
  ctx: Context,
  input: TranscriptionInput,
  { earlier, coveredIds, by }: { earlier: Transcription | null; coveredIds: string[]; by: string },
): Transcription {
  const { patientName, patientNameNote, prescriberName, prescriberPhone, writtenOn, duplicateNote } = input
  const at = ctx.now.toISOString()
  const method = input.authentication?.method
  const note = input.authentication?.note ?? ''
  const isSameAuthentication =
    earlier?.authentication?.method === method && earlier?.authentication?.note === note
  return {
    patientName,
    patientNameNote,
    prescriberName,
    prescriberId:
      input.npi === null
        ? { license: input.license ?? '', jurisdiction: input.jurisdiction ?? '' }
        : { npi: input.npi },
    prescriberPhone,
    writtenOn,
    authentication: isSameAuthentication
      ? (earlier?.authentication ?? null)
      : method === undefined
        ? null
        : { method, note, by, at },
    duplicate:
      duplicateNote !== null && isNewNote(input, earlier?.duplicate ?? null)
        ? { note: duplicateNote, by, at, prescriptionIds: coveredIds }
        : (earlier?.duplicate ?? null),
  }
}

/**
 * Whether a pharmacist cleared on something that no longer holds: who takes it, who prescribed it,
 * or that the prescription was authenticated. Items carry the rest.
 */
const endsClearances = (earlier: Transcription, later: Transcription): boolean =>
  earlier.patientName !== later.patientName ||
  !isSame(earlier.prescriberId, later.prescriberId) ||
  (earlier.authentication !== null && later.authentication === null)

async function storeItem(
  ctx: Context,
  key: KeyRing,
  row: PrescriptionRow,
  {
    item: { input, earlier, chosen },
    transcription,
    by,
  }: { item: ItemToCheck; transcription: Transcription; by: string },
): Promise<void> {
  const medicine = medicineOf({ input, earlier, chosen })
  if (!medicine) throw new AppError('INVALID')
  const { agreement } = input
  const agreed = agreement && toAgreement('quantity', agreement, { by, now: ctx.now })
  const content: ItemContent = {
    patientId: patientOf(row),
    medicine,
    dispenseAsWritten: input.dispenseAsWritten ? medicine.brandName : null,
    unitsPerFill: input.units,
    daysSupply: input.daysSupply,
    directions: expandDirections(input.directions, medicine.form).text,
    refills: input.refills,
    writtenOn: transcription.writtenOn,
    validUntil: input.validUntil,
    prescriberName: transcription.prescriberName,
    closedReason: null,
    agreements: [...(earlier?.agreements ?? []), ...(agreed ? [agreed] : [])],
  }
  if (earlier === null) {
    await createItem(ctx, key, {
      prescriptionId: row.id,
      userId: row.userId,
      transcribedBy: by,
      content,
    })
    return
  }
  if (isUnchanged(earlier, content)) return
  const { id, version } = earlier
  if (!(await replaceItem(ctx, key, { id, version, content }))) throw new StaleTranscriptionError()
  await reopenLinesOfItem(ctx.db, id)
}

/** Items carry the written date and the prescriber of their prescription. */
async function updateHeader(
  ctx: Context,
  key: KeyRing,
  item: Item,
  transcription: Transcription,
): Promise<void> {
  const { writtenOn, prescriberName } = transcription
  const content = { ...item, writtenOn, prescriberName }
  if (item.status === 'closed' || isUnchanged(item, content)) return
  const { id, version } = item
  if (!(await replaceItem(ctx, key, { id, version, content }))) throw new StaleTranscriptionError()
  await reopenLinesOfItem(ctx.db, id)
}

const isUnchanged = (earlier: Item, content: ItemContent): boolean =>
  Object.entries(content).every(([name, value]) => isSame(value, earlier[name as keyof ItemContent]))
