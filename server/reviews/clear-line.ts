import { moveFills } from '#db/dispensing/fills.ts'
import { findItem } from '#db/dispensing/items.ts'
import { updateLineReview } from '#db/dispensing/line-reviews.ts'
import { listLineRefunds } from '#db/orders/refunds.ts'
import { findPrescription } from '#db/prescriptions/prescriptions.ts'
import type { ClearInput } from '#domain/dispensing/case-inputs.ts'
import { decideClearance, listBlockers } from '#domain/dispensing/clearance.ts'
import { isUndecided } from '#domain/dispensing/dispensing.ts'
import { toAgreement } from '#domain/dispensing/prescription-item.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { AppError } from '#domain/errors.ts'
import { noLineRefunds, unitsLeftToShip } from '#domain/orders/line-refunds.ts'
import type { OrderLine } from '#domain/orders/orders.ts'
import { recordAlertOutcome } from '../alerts/get-alert-report.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { readAllTherapy } from '../dispensing/read-therapy.ts'
import { reserveFill } from '../dispensing/reserve-fills.ts'
import { findControlled, releaseOrderFills } from '../dispensing/ship-lines.ts'
import { readItem } from '../dispensing/item-reader.ts'
import { addNotes } from '../dispensing/line-notes.ts'
import { replaceItem } from '../dispensing/store-item.ts'
import { findLotProblems } from '../inventory/find-lot-problems.ts'
import type { CustomerOrder } from '../orders/find-order.ts'
import { readOrderContent } from '../orders/order-reader.ts'
import { repickLine } from '../orders/repick-lots.ts'
import { readTranscription } from '../prescriptions/prescription-reader.ts'
import { readPatient } from '../patients/read-patients.ts'
import { getSettings } from '../settings/get-settings.ts'
import { captureWhenDecided } from './capture-when-decided.ts'
import { changeLine, throwStale, type LockedLine } from './change-line.ts'
import { toPatientFacts } from './case-patient.ts'
import { findDestinations } from './find-destinations.ts'
import { findLineMedicine } from './line-medicine.ts'
import { alertErrors, alertNotes, readLockedAlerts } from './locked-alerts.ts'
import { findListedCodes, readRatedPackages } from './rated-packages.ts'
import { requireUnshipped } from './require-unshipped.ts'

/**
 * Clears a line: it may leave the pharmacy on this item. All rules hold at this moment, on the item
 * as the pharmacist saw it; the line's fill is reserved if it has none. When it is the last
 * undecided line, the payment is captured. Returns the case. Throws what `changeLine` throws,
 * INVALID by field when a rule or a decision is missing, also one on a high alert, and CONFLICT
 * when the order has shipped or was cancelled, nothing of the line is left to ship, or it was
 * dispensed on another item.
 */
export const clearLine = (ctx: Context, input: ClearInput): Promise<ReviewCase> =>
  changeLine(ctx, input, async (ctx, locked) => {
    const { pharmacist, review, order, line: orderLine, key } = locked
    if (!isUndecided(review.status)) throwStale()
    requireUnshipped(order)
    await requireUnitsLeft(ctx, order, orderLine)
    const { item, errors: ruleErrors, notes, agreement, line } = await decide(ctx, locked, input)
    const alerts = await readLockedAlerts(ctx, locked, item)
    const errors = { ...alertErrors(alerts, review.lineId), ...ruleErrors }
    if (Object.keys(errors).length > 0)
      throw new AppError('INVALID', firstMessage(errors), { fields: errors })

    const lineIds = [review.lineId]
    const therapy = await readAllTherapy(ctx, key, order.userId)
    const earlier = therapy.fills.find((fill) => fill.lineId === review.lineId && fill.status !== 'released')
    // The order shipped and was moved back. The fill counts until staff record it did not leave.
    const isDispensed = earlier?.status === 'dispensed'
    if (isDispensed && earlier.itemId !== item.id) {
      throw new AppError(
        'CONFLICT',
        'This line was dispensed on another prescription. Record first that it did not leave.',
      )
    }
    let fillId = earlier?.id ?? null
    let daysSupply = earlier?.daysSupply
    let version = item.version
    if (!earlier || (!isDispensed && (earlier.itemId !== item.id || earlier.units !== line.units))) {
      await releaseOrderFills(ctx, order.id, lineIds)
      const current = therapy.items.find(({ id }) => id === item.id) ?? throwStale()
      const fill = await reserveFill(ctx, key, therapy, {
        item: current,
        lineId: review.lineId,
        units: line.units,
        orderId: order.id,
      })
      fillId = fill.id
      daysSupply = fill.daysSupply
      version++
    }
    if (daysSupply !== undefined) await requireLastingLots(ctx, order, orderLine, daysSupply)
    if (agreement !== null) {
      const agreed = toAgreement('substitution', agreement, { by: pharmacist.id, now: ctx.now })
      const content = { ...item, agreements: [...item.agreements, agreed] }
      if (!(await replaceItem(ctx, key, { id: item.id, version, content }))) throwStale()
    }
    await moveFills(ctx.db, {
      orderId: order.id,
      lineIds,
      from: ['reserved'],
      to: 'cleared',
      now: ctx.now,
      pharmacistId: pharmacist.id,
    })
    const isUpdated = await updateLineReview(ctx.db, {
      lineId: review.lineId,
      version: review.version,
      status: 'cleared',
      prescriptionId: item.prescriptionId,
      itemId: item.id,
      patientId: item.patientId,
      fillId,
      sealedDecision: addNotes(ctx, review, pharmacist.id, {
        notes: [...notes, ...alertNotes(alerts, review.lineId)],
      }),
      decidedBy: pharmacist.id,
      decidedAt: ctx.now,
      checkedBy: null,
      checkedAt: null,
    })
    if (!isUpdated) throwStale()
    await recordAlertOutcome(ctx, alerts.alertsOf(review.lineId), 'cleared')
    await recordAudit(ctx, { action: 'order.line-cleared', subjectId: order.userId, objectId: order.id })
    await captureWhenDecided(ctx, order.id)
  })

/** Throws CONFLICT for a line of which nothing is left to ship. */
async function requireUnitsLeft(
  { db }: Pick<Context, 'db'>,
  order: CustomerOrder,
  { id, quantity }: OrderLine,
): Promise<void> {
  const refunds = (await listLineRefunds(db, [order.id])).get(id) ?? noLineRefunds
  if (unitsLeftToShip(quantity, refunds).length > 0) return
  throw new AppError('CONFLICT', 'All units of this line were refunded. Refuse the line.')
}

/**
 * Picks other lots for a line when its own expire before the supply is used up, which is known only
 * now when the prescription was not transcribed at checkout. Throws CONFLICT when there are none,
 * before the payment is captured.
 */
async function requireLastingLots(
  ctx: Context,
  order: CustomerOrder,
  line: OrderLine,
  daysSupply: number,
): Promise<void> {
  const { id: lineId, lots = [] } = line
  if (lots.length === 0) return
  const problems = await findLotProblems(ctx, [{ ...line, daysSupply }], null)
  if (problems.length === 0 && line.daysSupply === daysSupply) return
  if (!(await repickLine(ctx, order, { lineId, lotId: null, daysSupply }))) throwStale()
}

/** The first message of an error by field, for a client that shows one sentence. */
const firstMessage = (errors: Record<string, string>): string | undefined => Object.values(errors)[0]

/** Checks the item, the patient and the decisions. */
async function decide(ctx: Context, { order, line: orderLine, review, key }: LockedLine, input: ClearInput) {
  const row = await findItem(ctx.db, input.itemId)
  if (!row || row.userId !== order.userId) {
    throw new AppError('INVALID', undefined, { fields: { itemId: 'Choose one of this patient’s items.' } })
  }
  if (row.version !== input.itemVersion) throwStale()
  const item = readItem(key, row)
  const prescription = await findPrescription(ctx.db, row.prescriptionId)
  const found = await readPatient(ctx, key, { userId: order.userId, patientId: item.patientId })
  if (!found) throw new AppError('NOT_FOUND')
  const patient = toPatientFacts(found)
  const transcription = prescription && readTranscription(key, prescription)
  const blockers = listBlockers(patient, {
    isApproved: prescription?.status === 'approved',
    authentication: transcription?.authentication ?? null,
  })
  if (blockers.length > 0)
    throw new AppError('INVALID', blockers.join(' '), { fields: { line: blockers.join(' ') } })
  const { medicine, units } = await findLineMedicine(ctx, orderLine)
  if (!medicine || units === null) {
    const message = 'This medicine is no longer in the catalog. Refuse the line.'
    throw new AppError('INVALID', message, { fields: { line: message } })
  }
  const schedule = (await findControlled(ctx, [orderLine])).get(orderLine.id)
  if (schedule) {
    const message = `This can’t be dispensed: ${schedule}. Refuse the line.`
    throw new AppError('INVALID', message, { fields: { line: message } })
  }
  const line = { medicine, units, lineId: review.lineId }
  const { fills } = await readAllTherapy(ctx, key, order.userId)
  const [destination] = await findDestinations(ctx, [
    { shipTo: readOrderContent(ctx.keys, order).shipTo, productIds: [orderLine.product.id] },
  ])
  const { refillOpensAtPercent: opensAtPercent } = await getSettings(ctx)
  const packages = await readRatedPackages(ctx, orderLine.product.id)
  const listed = findListedCodes(packages, item, { variantId: orderLine.productVariantId, medicine })
  const decision = decideClearance(input, {
    listed,
    item,
    line,
    patient,
    isDestinationServed: destination?.isServed ?? false,
    fills,
    now: ctx.now,
    opensAtPercent,
  })
  return { item, line, ...decision }
}
