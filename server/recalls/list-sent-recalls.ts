import { can } from '#domain/accounts/permissions.ts'
import type { Context } from '../context.ts'
import { findOrder } from '../orders/find-order.ts'
import { readOrderContent } from '../orders/order-reader.ts'
import { visibleLines } from '../orders/visible-lines.ts'
import { requirePermission } from '../require-user.ts'
import { describeNotice, listNotices, listReports, type OrderRecall } from './list-order-recalls.ts'
import { readReached, type Reached } from './read-reached.ts'

/** A recall of what an order's customer got, as staff read it. */
export type SentRecall = Pick<OrderRecall, 'isSent'> & {
  notifiedAt: string
  reached: Reached
  /** Null for staff who may not see which medicine it is: the recall's number would name it. */
  details:
    | (Pick<OrderRecall, 'recallId' | 'items' | 'sentLots' | 'returnedLots' | 'report'> & {
        canOpen: boolean
      })
    | null
}

/**
 * The recalls that an order's customer was notified of, newest first, for the staff who answer
 * them. Not audited: the caller writes the audit row. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND.
 */
export async function listSentRecalls(ctx: Context, orderId: string): Promise<SentRecall[]> {
  requirePermission(ctx, 'orders.read')
  const notices = await listNotices(ctx, orderId)
  if (notices.length === 0) return []
  const order = await findOrder(ctx, orderId)
  // With the lines that were refused since.
  const { lines: all, refusedLines } = readOrderContent(ctx.keys, order)
  const lines = visibleLines(ctx, order, all)
  const visible = new Set(lines.flatMap(({ id, product }) => (product.id === '' ? [] : [id])))
  const reports = await listReports(ctx, { order, content: { lines, refusedLines } }, notices)
  const reachedOf = await readReached(ctx, notices)
  const canOpen = can(ctx.user, 'lists.read')
  return notices.toReversed().map((notice) => {
    const { recallId, items, isSent, sentLots, returnedLots, report } = describeNotice(notice, reports)
    const isHidden = !notice.lineIds.every((id) => visible.has(id))
    return {
      notifiedAt: notice.at,
      reached: reachedOf(notice),
      isSent,
      details: isHidden ? null : { recallId, items, sentLots, returnedLots, report, canOpen },
    }
  })
}
