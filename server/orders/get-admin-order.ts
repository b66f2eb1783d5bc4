import { listOrderEvents, listOrderNotes } from '#db/orders/orders.ts'
import { findPrescription } from '#db/prescriptions/prescriptions.ts'
import { listOrderRefunds, listReturns } from '#db/orders/refunds.ts'
import { addressLines } from '#domain/accounts/addresses.ts'
import { decimalFromCents } from '#domain/money.ts'
import type { DeskLine, DeskOrderDetails } from '#domain/orders/admin-orders.ts'
import { leftToRefund } from '#domain/orders/cancellation.ts'
import { readNames } from '../accounts/get-names.ts'
import { requireAdmin } from '../require-user.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { openPrescription } from '../prescriptions/sealed-prescription.ts'
import { findOrder, type OwnedOrder } from './find-order.ts'
import { openNote } from './sealed-note.ts'
import { openContent } from './sealed-order.ts'

const formerAdmin = 'a former administrator'

/** An order with all that the back office knows of it. Throws UNAUTHENTICATED, FORBIDDEN; NOT_FOUND when it is missing or a deleted user's. */
export async function readForDesk(ctx: Context, id: string): Promise<DeskOrderDetails> {
  requireAdmin(ctx)
  const row = await findOrder(ctx, id)
  await recordRead(ctx, { action: 'order.read', subjectId: row.userId, objectId: id })
  const { lines, shipTo, customer } = openContent(ctx.keys, row)
  const [events, notes, refunds, returns, prescription] = await Promise.all([
    listOrderEvents(ctx.db, id),
    listOrderNotes(ctx.db, id),
    listOrderRefunds(ctx.db, row.checkoutId),
    listReturns(ctx.db, [id]),
    readPrescription(ctx, row),
  ])
  const names = await readNames(ctx, [
    ...events.map(({ actorId }) => actorId),
    ...notes.map(({ authorId }) => authorId),
  ])
  const promisedCents = refunds
    .filter(({ failedAt }) => failedAt === null)
    .reduce((sum, { amountCents }) => sum + amountCents, 0)
  return {
    id,
    userId: row.userId,
    status: row.status,
    isCalledOff: row.restockedAt !== null,
    createdAt: row.createdAt.toISOString(),
    customerName: customer.name,
    customerEmail: customer.email,
    shippingLines: addressLines(shipTo.text, shipTo.parts),
    shippingAddress: shipTo.text,
    stripePaymentId: row.paymentId,
    total: decimalFromCents(row.totalCents),
    promised: decimalFromCents(promisedCents),
    leftToRefund: decimalFromCents(leftToRefund(row.totalCents, promisedCents)),
    hasRx: row.hasRx,
    trackingNumber: row.trackingNumber,
    carrier: row.carrier,
    estimatedDelivery: row.estimatedDelivery,
    items: lines.map(({ priceCents, ...line }): DeskLine => {
      const { refunded = 0, restocked = 0 } = returns.get(line.id) ?? {}
      return { ...line, price: decimalFromCents(priceCents), refunded, restocked }
    }),
    events: events.map(({ status, at, actorId }) => ({
      status,
      at: at.toISOString(),
      by:
        actorId === null
          ? null
          : actorId === row.userId
            ? 'the customer'
            : (names.get(actorId) ?? formerAdmin),
    })),
    refunds: refunds.map(({ id, amountCents, createdAt, doneAt, failedAt }) => ({
      id,
      amount: decimalFromCents(amountCents),
      createdAt: createdAt.toISOString(),
      doneAt: doneAt?.toISOString() ?? null,
      failedAt: failedAt?.toISOString() ?? null,
    })),
    prescription,
    notes: notes.map((note) => ({
      id: note.id,
      text: openNote(ctx.keys, note),
      at: note.createdAt.toISOString(),
      by: names.get(note.authorId) ?? formerAdmin,
    })),
  }
}

async function readPrescription(
  ctx: Context,
  { prescriptionId, userId }: OwnedOrder,
): Promise<DeskOrderDetails['prescription']> {
  const row = prescriptionId === null ? null : await findPrescription(ctx.db, prescriptionId)
  const key = row && (await openUserKey(ctx, userId))
  if (!row || !key) return null
  await recordRead(ctx, { action: 'prescription.read', subjectId: userId, objectId: row.id })
  const { id, doctorName, uploadedAt, expiryDate, status, statusReason } = openPrescription(key, row, ctx.now)
  return { id, doctorName, uploadedAt: uploadedAt.toISOString(), expiryDate, status, statusReason }
}
