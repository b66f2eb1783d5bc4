import { insertRecord, lockDispensedOrders } from '#db/records/dispensing-records.ts'
import { listOrderEvents, type OrderRow } from '#db/orders/orders.ts'
import { remainingLines } from '#domain/orders/orders.ts'
import type { DispensingRecord } from '#domain/records/dispensing-record.ts'
import { formerStaff, getStaffNames } from '../accounts/get-staff-names.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { removeCheckoutCustomer } from '../checkout/remove-customer.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openRetentionKey } from '../crypto/retention-key.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { detachFiles, readFileKey } from '../files/detach-file.ts'
import { readOrderContent } from '../orders/order-reader.ts'
import { removeOrderCustomer } from '../orders/remove-customer.ts'
import { readDecidedPrescription } from '../prescriptions/prescription-reader.ts'
import { sealRecord } from './sealed-record.ts'

/**
 * Moves what the law requires of shipped prescription medicines out of an account, in the
 * transaction that deletes it: into a record per order, under a key that is independent of the
 * user's. Names and addresses leave the orders themselves. Other orders and unused prescriptions
 * are not kept.
 */
export async function keepRecords(ctx: Context, userId: string): Promise<void> {
  const orders = await lockDispensedOrders(ctx.db, userId)
  if (orders.length === 0) return
  const userKey = await openUserKey(ctx, userId)
  const retentionKey = await openRetentionKey(ctx)
  const fileIds: string[] = []
  for (const order of orders) {
    const { record, dispensedAt } = await createRecord(ctx, userKey, order, userId)
    const { sealedRecord, wrappedKey } = sealRecord(retentionKey, record)
    await insertRecord(
      ctx.db,
      {
        orderId: order.id,
        sealedRecord,
        storageKey: record.file?.storageKey ?? null,
        dispensedAt,
        createdAt: ctx.now,
      },
      wrappedKey,
    )
    if (record.file) fileIds.push(record.file.id)
    await removeOrderCustomer(ctx, order)
    await removeCheckoutCustomer(ctx, order.checkoutId)
    await recordAudit(ctx, { action: 'record.kept', subjectId: userId, objectId: order.id })
  }
  await detachFiles(ctx, fileIds)
}

async function createRecord(
  ctx: Context,
  userKey: KeyRing | null,
  order: OrderRow,
  userId: string,
): Promise<{ record: DispensingRecord; dispensedAt: Date }> {
  const content = readOrderContent(ctx.keys, order)
  const { shipTo, customer } = content
  const events = await listOrderEvents(ctx.db, order.id)
  const found =
    userKey && order.prescriptionId !== null
      ? await readDecidedPrescription(ctx, userKey, order.prescriptionId)
      : null
  const names = await getStaffNames(ctx, [found?.decidedBy ?? null, ...events.map(({ actorId }) => actorId)])
  const nameOf = (id: string | null): string | null => (id === null ? null : (names.get(id) ?? formerStaff))
  const shipped = events.findLast(({ status }) => status === 'shipped' || status === 'delivered')
  return {
    dispensedAt: shipped?.at ?? order.updatedAt,
    record: {
      userId,
      orderId: order.id,
      placedAt: order.createdAt.toISOString(),
      customerName: customer.name,
      shippingAddress: shipTo.text,
      lines: remainingLines(content).filter(({ product }) => product.category === 'Rx'),
      carrier: order.carrier,
      trackingNumber: order.trackingNumber,
      events: events.map(({ status, at, actorId }) => ({
        status,
        at: at.toISOString(),
        by: nameOf(actorId),
      })),
      prescription: found && { ...found.prescription, decidedBy: nameOf(found.decidedBy) },
      file: found && userKey ? await readFileKey(ctx, userKey, { id: found.fileId, userId }) : null,
    },
  }
}
