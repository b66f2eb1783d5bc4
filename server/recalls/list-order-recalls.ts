import { listRecallNotices } from '#db/recalls/recall-notices.ts'
import { listRecallEventTimes } from '#db/recalls/recorded-recalls.ts'
import { listRecalls } from '#db/screening/recalls.ts'
import { variantLabel } from '#domain/catalog/catalog.ts'
import { hasShipped } from '#domain/orders/order-status.ts'
import type { OrderContent, OrderLine } from '#domain/orders/orders.ts'
import { endedStatus } from '#domain/screening/recall-outcome.ts'
import type { RecallAction } from '#domain/screening/recorded-recall.ts'
import { recordedRecalls, type Recall } from '#domain/screening/recall.ts'
import type { Context } from '../context.ts'
import { recordRead } from '../audit/record-audit.ts'
import { findOrder, type CustomerOrder } from '../orders/find-order.ts'
import { readOrderContent } from '../orders/order-reader.ts'
import { findSentLines } from '../orders/sent-lines.ts'
import { requireUser } from '../require-user.ts'
import { orderKeyOf } from './notify-customers.ts'
import { openNotice, type RecallNotice } from './sealed-notice.ts'

/** A recall that an order's customer was notified of. */
export type OrderRecall = {
  recallId: string
  /** "Ibuprofen, 200 mg, 24 tablets". */
  items: string[]
  /**
   * Whether the order has shipped with any of these lines. It hasn't when it was set back, or when
   * they were refused then, which returned their units to stock.
   */
  isSent: boolean
  /** The lots of the lines that we sent; empty when we don't know them. */
  sentLots: string[]
  /** The lots of lines that were set back or refused: the customer may have them or not. */
  returnedLots: string[]
  notifiedAt: string
  /** When staff ended a recall that they had recorded; null for another one. */
  endedAt: string | null
  /** The report in the current list; null when it no longer has the recall, or staff ended it. */
  report:
    | (Pick<
        Recall,
        'status' | 'recallClass' | 'reason' | 'firm' | 'reported' | 'allLots' | 'lots' | 'lotNote'
      > & {
        /** Whether staff recorded it: the FDA has no report of it. */
        isRecorded: boolean
        /** When they did. */
        recordedAt: string | null
      })
    | null
}

/** The recall notices of an order's customer that can be decrypted, oldest first. */
export async function listNotices(
  ctx: Pick<Context, 'db' | 'keys' | 'log'>,
  orderId: string,
): Promise<RecallNotice[]> {
  const rows = await listRecallNotices(ctx.db, 'orderKey', [orderKeyOf(ctx.keys, orderId)])
  return rows.flatMap((row) => openNotice(ctx, row) ?? [])
}

/**
 * The recalls that an order's customer was notified of, newest first, for that customer only.
 * Throws UNAUTHENTICATED, NOT_FOUND.
 */
export async function listOrderRecalls(ctx: Context, orderId: string): Promise<OrderRecall[]> {
  const user = requireUser(ctx)
  const notices = await listNotices(ctx, orderId)
  if (notices.length === 0) return []
  const order = await findOrder(ctx, orderId)
  await recordRead(ctx, { action: 'order.read', subjectId: order.userId, objectId: orderId })
  if (order.userId !== user.id) return []
  const content = readOrderContent(ctx.keys, order)
  const reports = await listReports(ctx, { order, content }, notices)
  return notices.toReversed().map((notice) => describeNotice(notice, reports))
}

type Reports = {
  lines: readonly OrderLine[]
  /** The lines with the lots that shipped first. */
  shippedLines: readonly OrderLine[]
  /** Whether a line of them is still sent. */
  isSent: (line: Pick<OrderLine, 'id'>) => boolean
  recalls: ReadonlyMap<string, Recall>
  /** When staff recorded or ended a recall; null for never. */
  timeOf: (recallId: string, action: RecallAction) => string | null
}

/**
 * What `describeNotice` reads of an order's lines and the current list.
 * @param of.content all lines, also those that were refused since
 */
export async function listReports(
  ctx: Pick<Context, 'db'>,
  of: { order: CustomerOrder; content: Pick<OrderContent, 'lines' | 'refusedLines'> },
  notices: readonly RecallNotice[],
): Promise<Reports> {
  const { id, status, restockedAt } = of.order
  const { lines, refusedLines } = of.content
  const ids = notices.map(({ recallId }) => recallId)
  const recalls = await listRecalls(ctx.db, { ids })
  const events = recalls.some(({ list }) => list === recordedRecalls)
    ? await listRecallEventTimes(ctx.db, ids)
    : []
  const shippedLines = (await findSentLines(ctx, [id]))({ lines, refusedLines: [] })
  const isShipped = hasShipped({ status, isCancelledBeforeShipment: restockedAt !== null })
  const refused = new Set(refusedLines.map(({ lineId }) => lineId))
  return {
    lines,
    shippedLines,
    isSent: (line) => isShipped && !refused.has(line.id),
    recalls: new Map(recalls.map((recall) => [recall.id, recall])),
    timeOf: (recallId, action) =>
      events.find((event) => event.recallId === recallId && event.action === action)?.at.toISOString() ??
      null,
  }
}

export function describeNotice(
  { recallId, lineIds, at }: RecallNotice,
  { lines, shippedLines, isSent, recalls, timeOf }: Reports,
): Required<OrderRecall> {
  const found = recalls.get(recallId)
  const recall = found?.status === endedStatus ? null : found
  const affected = shippedLines.filter(({ id }) => lineIds.includes(id))
  const sent = affected.filter(isSent)
  const returned = affected.filter((line) => !isSent(line))
  return {
    recallId,
    items: lines
      .filter(({ id }) => lineIds.includes(id))
      .map(({ product, variant }) => [product.name, variantLabel(variant)].join(', ')),
    isSent: sent.length > 0,
    sentLots: listLots(sent),
    returnedLots: listLots(returned),
    notifiedAt: at,
    endedAt: timeOf(recallId, 'ended'),
    report: recall
      ? {
          status: recall.status,
          recallClass: recall.recallClass,
          reason: recall.reason,
          firm: recall.firm,
          reported: recall.reported,
          allLots: recall.allLots,
          lots: recall.lots,
          lotNote: recall.lotNote,
          isRecorded: recall.list === recordedRecalls,
          recordedAt: timeOf(recallId, 'recorded'),
        }
      : null,
  }
}

const listLots = (lines: readonly OrderLine[]): string[] => [
  ...new Set(lines.flatMap(({ lots = [] }) => lots.map(({ lotNumber }) => lotNumber))),
]
