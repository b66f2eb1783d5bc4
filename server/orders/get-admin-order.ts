import { listAllOrderEvents, type OrderEventRow } from '#db/orders/order-events.ts'
import { listOrderNotes } from '#db/orders/order-notes.ts'
import { findOrderHold } from '#db/orders/payment-holds.ts'
import { listOrderRefunds, listLineRefunds } from '#db/orders/refunds.ts'
import { can } from '#domain/accounts/permissions.ts'
import { addressLines } from '#domain/accounts/addresses.ts'
import { mergeLots } from '#domain/inventory/lots.ts'
import { decimalFromCents } from '#domain/money.ts'
import type { AdminOrderLine, AdminOrderDetails } from '#domain/orders/admin-orders.ts'
import { trackingUrl } from '#domain/orders/carriers.ts'
import { leftToRefund } from '#domain/orders/cancellation.ts'
import { canCancel } from '#domain/orders/order-status.ts'
import {
  computeTotal,
  linesLeftToShip,
  listRefusedLines,
  remainingLines,
  type OrderContent,
} from '#domain/orders/orders.ts'
import { statusPermission } from '#domain/orders/status-change.ts'
import { getOrderPayment } from '#domain/orders/payment-hold.ts'
import { getStaffNames } from '../accounts/get-staff-names.ts'
import { mayReadRecord } from '../accounts/record-access.ts'
import { requirePermission } from '../require-user.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { readPrescription, readTranscriptionOf } from '../prescriptions/prescription-reader.ts'
import { findDestinationWarnings } from './find-destination-warnings.ts'
import { findOrder, type CustomerOrder } from './find-order.ts'
import { findOrderLotProblems } from './find-order-lot-problems.ts'
import { findRecallProblems } from './find-recall-problems.ts'
import { listPackFacts } from './list-pack-facts.ts'
import { openNote } from './sealed-note.ts'
import { openContent } from './sealed-order.ts'
import { linesToShip, visibleLines, visibleProblem, visibleRefusedLines } from './visible-lines.ts'

const formerAdminLabel = 'a former admin'

/**
 * Everything the back office shows about an order. Throws UNAUTHENTICATED, FORBIDDEN, and NOT_FOUND
 * when the order is missing or a deleted user's.
 */
export async function getAdminOrder(ctx: Context, id: string): Promise<AdminOrderDetails> {
  requirePermission(ctx, 'orders.read')
  const row = await findOrder(ctx, id)
  await recordRead(ctx, { action: 'order.read', subjectId: row.userId, objectId: id })
  const content = openContent(ctx.keys, row)
  const { shipTo, customer } = content
  const [events, notes, refunds, lineRefunds, prescription, hold] = await Promise.all([
    listAllOrderEvents(ctx.db, id),
    listOrderNotes(ctx.db, id),
    listOrderRefunds(ctx.db, row.checkoutId),
    listLineRefunds(ctx.db, [id]),
    getPrescription(ctx, row),
    findOrderHold(ctx.db, id),
  ])
  const names = await getStaffNames(ctx, [
    ...events.flatMap(({ actorId, revertedBy }) => [actorId, revertedBy]),
    ...notes.map(({ authorId }) => authorId),
  ])
  const refundTotalCents = refunds
    .filter(({ failedAt }) => failedAt === null)
    .reduce((sum, { amountCents }) => sum + amountCents, 0)
  const payment = getOrderPayment(row, hold)
  const lines = visibleLines(ctx, row, remainingLines(content))
  const packs = await listPackFacts(ctx, lines)
  const toShip = canCancel(row.status) ? linesToShip(ctx, row, linesLeftToShip(content, lineRefunds)) : []
  const recalls = await listRecallMessages(ctx, row, { lines: toShip, content })
  const lotProblems = await findOrderLotProblems(ctx, row, { lines: toShip, content })
  const destinationWarnings = await findDestinationWarnings(ctx, [{ row, content }], lineRefunds)
  const nameOf = (userId: string | null): string | null => {
    if (userId === null) return null
    return userId === row.userId ? 'the customer' : (names.get(userId) ?? formerAdminLabel)
  }
  return {
    id,
    userId: row.userId,
    status: row.status,
    isCancelledBeforeShipment: row.restockedAt !== null,
    createdAt: row.createdAt.toISOString(),
    customerName: customer.name,
    customerEmail: customer.email,
    shippingLines: addressLines(shipTo.text, shipTo.parts),
    shippingAddress: shipTo.text,
    stripePaymentId: row.paymentId,
    total: decimalFromCents(computeTotal(content)),
    payment: {
      state: payment.state,
      authorized: decimalFromCents(payment.authorizedCents),
      captured: decimalFromCents(payment.capturedCents),
      captureBefore: payment.captureBefore?.toISOString() ?? null,
      refusedAt: payment.refusedAt?.toISOString() ?? null,
    },
    refundTotal: decimalFromCents(refundTotalCents),
    leftToRefund: decimalFromCents(leftToRefund(row.capturedCents, refundTotalCents)),
    hasRx: row.hasRx,
    trackingNumber: row.trackingNumber,
    carrier: row.carrier,
    estimatedDelivery: row.estimatedDelivery,
    trackingUrl: trackingUrl(row),
    items: lines.map(({ priceCents, lots = [], ...line }): AdminOrderLine => {
      const { refunded = 0, restocked = 0 } = lineRefunds.get(line.id) ?? {}
      return {
        ...line,
        price: decimalFromCents(priceCents),
        pack: packs.get(line.productVariantId) ?? null,
        lots: mergeLots(lots),
        refunded,
        restocked,
      }
    }),
    refusedItems: visibleRefusedLines(ctx, row, listRefusedLines(content)).map(
      ({ id, quantity, product, variant, priceCents, reason, refusedAt }) => ({
        id,
        quantity,
        product,
        variant,
        reason,
        price: decimalFromCents(priceCents),
        refusedAt: refusedAt.toISOString(),
      }),
    ),
    events: events.map(({ status, at, actorId, revertedAt, revertedBy }) => ({
      status,
      at: at.toISOString(),
      by: nameOf(actorId),
      reverted: revertedAt && { at: revertedAt.toISOString(), by: nameOf(revertedBy) },
    })),
    undo: findUndo(ctx, row, events),
    refunds: refunds.map(({ id, amountCents, createdAt, doneAt, failedAt }) => ({
      id,
      amount: decimalFromCents(amountCents),
      createdAt: createdAt.toISOString(),
      doneAt: doneAt?.toISOString() ?? null,
      failedAt: failedAt?.toISOString() ?? null,
    })),
    prescription,
    destinationWarning: destinationWarnings.get(id) ?? null,
    recalls,
    lotProblems: lotProblems.map(({ message, isBlocking }) => ({ message, isBlocking })),
    notes: notes.map((note) => ({
      id: note.id,
      text: openNote(ctx.keys, note),
      at: note.createdAt.toISOString(),
      by: names.get(note.authorId) ?? formerAdminLabel,
    })),
  }
}

/** The change that the order's page offers to undo: the last one, until its email leaves. */
function findUndo(
  ctx: Pick<Context, 'now' | 'user'>,
  { version }: CustomerOrder,
  events: readonly OrderEventRow[],
): AdminOrderDetails['undo'] {
  const change = events.find((event) => event.orderVersion === version && event.revertedAt === null)
  if (!change?.undoUntil || change.undoUntil < ctx.now) return null
  if (!can(ctx.user, statusPermission(change.status))) return null
  return { changeId: change.id, status: change.status, until: change.undoUntil.toISOString() }
}

/** Why recalls keep an open order here. Staff who may not see medicines read no recall's number. */
async function listRecallMessages(
  ctx: Context,
  row: CustomerOrder,
  { lines, content }: { lines: ReturnType<typeof linesToShip>; content: OrderContent },
): Promise<string[]> {
  const problems = await findRecallProblems(ctx, lines, content)
  return [...new Set(problems.map(({ message }) => visibleProblem(ctx, row, { kind: 'recall', message })))]
}

async function getPrescription(
  ctx: Context,
  { prescriptionId, userId }: CustomerOrder,
): Promise<AdminOrderDetails['prescription']> {
  const prescription = await readPrescription(ctx, prescriptionId)
  if (!prescription) return null
  const { id, doctorName, uploadedAt, expiryDate, status, statusReason } = prescription
  const isShown = can(ctx.user, 'prescriptions.review') && (await mayReadRecord(ctx, userId))
  if (!isShown) return { id, status, details: null }
  await recordRead(ctx, { action: 'prescription.read', subjectId: userId, objectId: id })
  const transcription = await readTranscriptionOf(ctx, id)
  return {
    id,
    status,
    details: {
      prescriberName: transcription?.prescriberName ?? null,
      uploadedAt: uploadedAt.toISOString(),
      statusReason,
      claim: { doctorName, expiryDate },
    },
  }
}
