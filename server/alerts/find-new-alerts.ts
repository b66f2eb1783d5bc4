import { listFillsOfOrders } from '#db/dispensing/fills.ts'
import { listLineReviews } from '#db/dispensing/line-reviews.ts'
import { undecidedAlerts } from '#domain/alerts/case-alert.ts'
import type { OrderContent } from '#domain/orders/orders.ts'
import type { Alert } from '#domain/screening/alert.ts'
import { recordRead } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { readAllTherapy } from '../dispensing/read-therapy.ts'
import { readOrderAlerts } from './order-alerts.ts'

/**
 * Why cleared lines that are about to ship need a pharmacist once more, one sentence a line: the
 * lists now have a high alert that was not decided on. The patient's record or a list has changed
 * since the clearance. Recalls stop the shipping by themselves. An alert about nothing but
 * medicines of other unshipped orders is decided in those orders. It screens what the case screens,
 * so that a decision on the case's alerts is a decision on these.
 */
export async function findNewAlerts(
  ctx: Context,
  {
    orderId,
    userId,
    content,
    lines,
  }: {
    orderId: string
    userId: string
    content: OrderContent
    lines: readonly { id: string; product: { name: string } }[]
  },
): Promise<{ lineId: string; message: string }[]> {
  const fills = await listFillsOfOrders(ctx.db, [orderId])
  const cleared = new Set(fills.flatMap(({ lineId, status }) => (status === 'cleared' ? [lineId] : [])))
  const toShip = lines.filter(({ id }) => cleared.has(id))
  const key = toShip.length > 0 ? await openUserKey(ctx, userId) : null
  if (!key) return []
  const reviews = await listLineReviews(ctx.db, [orderId])
  const therapy = await readAllTherapy(ctx, key, userId)
  const { view, find } = await readOrderAlerts(ctx, key, { userId, content, reviews, therapy })
  await recordRead(ctx, { action: 'alerts.read', subjectId: userId })
  const alerts = view.alerts.filter(({ id, kind }) => {
    const found = find(id)
    return kind !== 'recall' && !(found && isOfOtherOrders(found.alert))
  })
  return toShip.flatMap(({ id, product }) =>
    undecidedAlerts(alerts, id).length > 0
      ? [
          {
            lineId: id,
            message: `${product.name} has a new alert that a pharmacist must decide on.`,
          },
        ]
      : [],
  )
}

/** Whether the lines meet nothing but medicines of other orders that have not shipped. */
function isOfOtherOrders({ first, second }: Alert): boolean {
  const others = [...first.items, ...(second?.items ?? [])].filter(({ kind }) => kind !== 'line')
  return others.length > 0 && others.every(({ kind }) => kind === 'ordered')
}
