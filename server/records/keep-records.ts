import { insertRecord, lockDispensedOrders } from '#db/records/dispensing-records.ts'
import { listLineReviews } from '#db/dispensing/line-reviews.ts'
import { listOrderEvents } from '#db/orders/order-events.ts'
import type { OrderRow } from '#db/orders/orders.ts'
import { remainingLines } from '#domain/orders/orders.ts'
import type { DispensingRecord } from '#domain/records/dispensing-record.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openRetentionKey } from '../crypto/retention-key.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { readLabelChoices } from '../dispensing/label-choices.ts'
import { detachFiles, readFileKey } from '../files/detach-file.ts'
import { readOrderContent } from '../orders/order-reader.ts'
import { readThreads } from '../messages/read-threads.ts'
import { createNames, withName, type NameOf } from './staff-names.ts'
import { readDispensedLines } from './read-dispensed-lines.ts'
import { readDecidedPrescription } from '../prescriptions/prescription-reader.ts'
import { sealRecord } from './sealed-record.ts'

/**
 * Moves what the law requires of shipped prescription medicines out of an account, in the
 * transaction that deletes it: into a record per order, under a key that is independent of the
 * user's. Other orders and unused prescriptions are not kept.
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
    const files = [record.file, ...record.otherPrescriptions.map(({ file }) => file)].flatMap(
      (file) => file ?? [],
    )
    await insertRecord(
      ctx.db,
      {
        orderId: order.id,
        sealedRecord,
        storageKey: record.file?.storageKey ?? null,
        dispensedAt,
        createdAt: ctx.now,
      },
      {
        wrappedKey,
        moreFiles: files.map(({ storageKey }) => storageKey).filter((key) => key !== record.file?.storageKey),
      },
    )
    fileIds.push(...files.map(({ id }) => id))
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
  const reviews = await listLineReviews(ctx.db, [order.id])
  const ids = [order.prescriptionId, ...reviews.map(({ prescriptionId }) => prescriptionId)]
  const prescriptionIds = [...new Set(ids.flatMap((id) => id ?? []))]
  const nameOf = createNames(ctx)
  const [first, ...others] = userKey
    ? await readPrescriptions(ctx, userKey, { userId, prescriptionIds, nameOf })
    : []
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
      dispensed: userKey
        ? await readDispensedLines(ctx, userKey, { orderId: order.id, reviews, nameOf })
        : [],
      labels: await readLabels(ctx, order.id, nameOf),
      carrier: order.carrier,
      trackingNumber: order.trackingNumber,
      events: await Promise.all(
        events.map(async ({ status, at, actorId }) => ({
          status,
          at: at.toISOString(),
          by: await nameOf(actorId),
        })),
      ),
      prescription: first?.prescription ?? null,
      file: first?.file ?? null,
      otherPrescriptions: others,
      messages: userKey
        ? await readMessages(ctx, userKey, { userId, subjectIds: [order.id, ...prescriptionIds] })
        : [],
    },
  }
}

/** The labels of an order's lines, with the names of the pharmacists who recorded them. */
async function readLabels(
  ctx: Context,
  orderId: string,
  nameOf: ReturnType<typeof createNames>,
): Promise<DispensingRecord['labels']> {
  const labels: DispensingRecord['labels'] = []
  for (const [lineId, choices] of await readLabelChoices(ctx, orderId)) {
    const { remsDecision, counseling } = choices
    labels.push({
      ...choices,
      lineId,
      remsDecision: remsDecision && { ...remsDecision, by: (await nameOf(remsDecision.by)) ?? '' },
      counseling: counseling && { ...counseling, by: (await nameOf(counseling.by)) ?? '' },
    })
  }
  return labels
}

type RecordedPrescription = DispensingRecord['otherPrescriptions'][number]

async function readPrescriptions(
  ctx: Context,
  userKey: KeyRing,
  { userId, prescriptionIds, nameOf }: { userId: string; prescriptionIds: readonly string[]; nameOf: NameOf },
): Promise<RecordedPrescription[]> {
  const recorded: RecordedPrescription[] = []
  for (const id of prescriptionIds) {
    const found = await readDecidedPrescription(ctx, userKey, id)
    if (!found) continue
    const { transcription, ...prescription } = found.prescription
    recorded.push({
      prescription: {
        ...prescription,
        decidedBy: await nameOf(found.decidedBy),
        transcription: transcription && {
          ...transcription,
          authentication: await withName(transcription.authentication, nameOf),
          duplicate: await withName(transcription.duplicate, nameOf),
        },
        questions: [],
      },
      file: await readFileKey(ctx, userKey, { id: found.fileId, userId }),
    })
  }
  return recorded
}

/** All messages about the order and its prescriptions, the oldest first. */
async function readMessages(
  ctx: Context,
  userKey: KeyRing,
  thread: { userId: string; subjectIds: readonly string[] },
): Promise<DispensingRecord['messages']> {
  const threads = await readThreads(ctx, userKey, thread)
  return [...threads.values()]
    .flatMap(({ messages }) => messages.map(({ from, text, at }) => ({ from, text, at })))
    .toSorted((a, b) => a.at.localeCompare(b.at))
}
