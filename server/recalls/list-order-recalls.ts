import { listRecallNotices } from '#db/recalls/recall-notices.ts'
import { listRecalls } from '#db/screening/recalls.ts'
import { variantLabel } from '#domain/catalog/catalog.ts'
import type { OrderLine } from '#domain/orders/orders.ts'
import type { Recall } from '#domain/screening/recall.ts'
import type { Context } from '../context.ts'
import { getOrder } from '../orders/get-order.ts'
import { findSentLines } from '../orders/sent-lines.ts'
import { requireUser } from '../require-user.ts'
import { orderKeyOf } from './notify-customers.ts'
import { openNotice, type RecallNotice } from './sealed-notice.ts'

/** A recall that an order's customer was notified of. */
export type OrderRecall = {
  recallId: string
  /** "Ibuprofen, 200 mg, 24 tablets". */
  items: string[]
  /** The lots that we sent; empty when we don't know them. */
  sentLots: string[]
  notifiedAt: string
  /** The report in the current list; null when it no longer has the recall. */
  report: Pick<
    Recall,
    'status' | 'recallClass' | 'reason' | 'firm' | 'reported' | 'allLots' | 'lots' | 'lotNote'
  > | null
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
  const order = await getOrder(ctx, orderId)
  if (order.userId !== user.id) return []
  const lines = [...order.items, ...order.refusedItems]
  const reports = await listReports(ctx, { orderId: order.id, lines }, notices)
  return notices.toReversed().map((notice) => describeNotice(notice, reports))
}

type Reports = {
  lines: readonly OrderLine[]
  /** The lines with the lots that were sent. */
  sentLines: readonly OrderLine[]
  recalls: ReadonlyMap<string, Recall>
}

/** What `describeNotice` reads of an order's lines and the current list. */
export async function listReports(
  ctx: Pick<Context, 'db'>,
  { orderId, lines }: { orderId: string; lines: readonly OrderLine[] },
  notices: readonly RecallNotice[],
): Promise<Reports> {
  const recalls = await listRecalls(ctx.db, { ids: notices.map(({ recallId }) => recallId) })
  const sentLines = (await findSentLines(ctx, [orderId]))({ lines: [...lines], refusedLines: [] })
  return { lines, sentLines, recalls: new Map(recalls.map((recall) => [recall.id, recall])) }
}

export function describeNotice(
  { recallId, lineIds, at }: RecallNotice,
  { lines, sentLines, recalls }: Reports,
): OrderRecall {
  const recall = recalls.get(recallId)
  return {
    recallId,
    items: lines
      .filter(({ id }) => lineIds.includes(id))
      .map(({ product, variant }) => [product.name, variantLabel(variant)].join(', ')),
    sentLots: listLots(sentLines.filter(({ id }) => lineIds.includes(id))),
    notifiedAt: at,
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
        }
      : null,
  }
}

const listLots = (lines: readonly OrderLine[]): string[] => [
  ...new Set(lines.flatMap(({ lots = [] }) => lots.map(({ lotNumber }) => lotNumber))),
]
