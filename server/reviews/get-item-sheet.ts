import { listFills } from '#db/dispensing/fills.ts'
import { findItem, type ItemRow } from '#db/dispensing/items.ts'
import { findLabelFacts } from '#db/dispensing/label-facts.ts'
import { findOrder as findOrderRow } from '#db/orders/orders.ts'
import { findPrescription } from '#db/prescriptions/prescriptions.ts'
import { utcDay } from '#domain/days.ts'
import { rxNumber } from '#domain/dispensing/dispensing.ts'
import { formatStrengthText } from '#domain/dispensing/dose.ts'
import { lastValidDay, refillsLeft } from '#domain/dispensing/fill-rules.ts'
import type { ItemSheet } from '#domain/dispensing/item-sheet.ts'
import type { LabelPharmacy } from '#domain/dispensing/label.ts'
import { formatQuantity } from '#domain/dispensing/quantity.ts'
import { isTransferred } from '#domain/dispensing/case-prescription.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import { findUser } from '../accounts/find-user.ts'
import { requireRecordAccess } from '../accounts/record-access.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { readAllTherapy } from '../dispensing/read-therapy.ts'
import { notFoundForUser } from '../note-refusal.ts'
import { readOrderContent } from '../orders/order-reader.ts'
import { readPatient } from '../patients/read-patients.ts'
import { readTranscription } from '../prescriptions/prescription-reader.ts'
import { requirePermission, requireUser } from '../require-user.ts'
import { toPharmacy } from './printed-pharmacy.ts'

const itemNotFound = 'Prescription not found'

/**
 * What a customer prints to ask their prescriber for a new prescription. Only their own. Throws
 * UNAUTHENTICATED, NOT_FOUND.
 */
export async function getRefillRequest(ctx: Context, itemId: string): Promise<ItemSheet> {
  const { id } = requireUser(ctx)
  const row = isId(itemId) ? await findItem(ctx.db, itemId) : null
  if (!row || row.userId !== id) throw notFoundForUser(ctx, itemId, itemNotFound)
  return readSheet(ctx, row)
}

/**
 * The same for the staff who review prescriptions, with access to the patient's record. Throws
 * UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, REASON_REQUIRED.
 */
export async function getItemForStaff(ctx: Context, itemId: string): Promise<ItemSheet> {
  requirePermission(ctx, 'prescriptions.review')
  const row = isId(itemId) ? await findItem(ctx.db, itemId) : null
  if (!row) throw new AppError('NOT_FOUND', itemNotFound)
  await requireRecordAccess(ctx, row.userId)
  return readSheet(ctx, row)
}

/**
 * The record of a closed item for the pharmacy that it was transferred to. Throws like
 * `getItemForStaff`, and CONFLICT for an item that was not closed as transferred: two pharmacies
 * would dispense on it.
 */
export async function getTransferRecord(ctx: Context, itemId: string): Promise<ItemSheet> {
  const sheet = await getItemForStaff(ctx, itemId)
  if (!isTransferred(sheet.closed?.reason ?? null)) {
    throw new AppError('CONFLICT', 'Close this item as transferred first. Then you can print its record.')
  }
  return sheet
}

async function readSheet(ctx: Context, row: ItemRow): Promise<ItemSheet> {
  const { userId, prescriptionId } = row
  await recordRead(ctx, { action: 'prescription.read', subjectId: userId, objectId: prescriptionId })
  const user = await findUser(ctx, userId)
  const prescription = await findPrescription(ctx.db, prescriptionId)
  const { items, fills } = user ? await readAllTherapy(ctx, user.key, userId) : { items: [], fills: [] }
  const item = items.find(({ id }) => id === row.id)
  if (!user || !prescription || !item) throw new AppError('NOT_FOUND', itemNotFound)
  // The customer, or the person they care for. A removed one stays.
  const patient = await readPatient(ctx, user.key, { userId, patientId: item.patientId })
  if (!patient) throw new AppError('NOT_FOUND', itemNotFound)
  const dispensed = fills.filter(({ itemId, status }) => itemId === item.id && status === 'dispensed')
  const { medicine } = item
  return {
    itemId: item.id,
    prescriptionId,
    rxNumber: rxNumber(prescription.number),
    patientName: readTranscription(user.key, prescription)?.patientName ?? patient.name,
    dateOfBirth: patient.dateOfBirth,
    medicine: {
      name: medicine.substances,
      brandName: medicine.brandName,
      strength: formatStrengthText(medicine.strength),
      form: (medicine.formText ?? medicine.form ?? '').toLowerCase(),
    },
    directions: item.directions,
    quantity: formatQuantity(item.unitsPerFill, medicine),
    daysSupply: item.daysSupply,
    refills: item.refills,
    refillsLeft: refillsLeft(item, fills),
    mayBeSubstituted: item.dispenseAsWritten === null,
    prescriberName: item.prescriberName,
    writtenOn: item.writtenOn,
    lastValidOn: lastValidDay(item),
    fills: dispensed.map(({ units, dispensedAt }) => ({
      on: utcDay(dispensedAt ?? row.updatedAt),
      quantity: formatQuantity(units, medicine),
    })),
    pharmacy: await findLastPharmacy(ctx, row),
    pharmacistPhone: ctx.shop.supportPhone,
    closed: row.status === 'closed' ? { reason: item.closedReason ?? '–', on: utcDay(row.updatedAt) } : null,
    printedOn: utcDay(ctx.now),
  }
}

/** The pharmacy of the last fill that left. */
async function findLastPharmacy(ctx: Context, { id, userId }: ItemRow): Promise<LabelPharmacy | null> {
  const rows = await listFills(ctx.db, userId)
  const last = rows.findLast(({ itemId, status }) => itemId === id && status === 'dispensed')
  const order = last?.orderId ? await findOrderRow(ctx.db, last.orderId) : null
  const line = order && readOrderContent(ctx.keys, order).lines.find((one) => one.id === last?.lineId)
  return line ? toPharmacy(await findLabelFacts(ctx.db, line.productVariantId)) : null
}
