import { listLineReviews } from '#db/dispensing/line-reviews.ts'
import { alertField, undecidedAlerts } from '#domain/alerts/case-alert.ts'
import type { DecisionNote } from '#domain/dispensing/clearance.ts'
import type { Item } from '#domain/dispensing/fill-rules.ts'
import { formatDay } from '#domain/format-day.ts'
import { readOrderAlerts, type OrderAlerts } from '../alerts/order-alerts.ts'
import type { Context } from '../context.ts'
import { readAllTherapy } from '../dispensing/read-therapy.ts'
import { readOrderContent } from '../orders/order-reader.ts'
import type { LockedLine } from './change-line.ts'

/**
 * The alerts of a locked line's order.
 * @param item that the line is filled from; null for the one that its review names
 */
export async function readLockedAlerts(
  ctx: Context,
  { order, review, key }: LockedLine,
  item: Item | null = null,
): Promise<OrderAlerts> {
  const [reviews, therapy] = await Promise.all([
    listLineReviews(ctx.db, [order.id]),
    readAllTherapy(ctx, key, order.userId),
  ])
  return readOrderAlerts(ctx, key, {
    userId: order.userId,
    content: readOrderContent(ctx.keys, order),
    reviews,
    therapy,
    ...(item && { chosenItems: new Map([[review.lineId, item]]) }),
  })
}

/** By field, the alerts that a line cannot be cleared without a decision on; empty when none is. */
export function alertErrors(alerts: OrderAlerts, lineId: string): Record<string, string> {
  const undecided = undecidedAlerts(alerts.view.alerts, lineId)
  if (undecided.length === 0) return {}
  const count = undecided.length === 1 ? 'An alert needs' : `${undecided.length} alerts need`
  return {
    line: `${count} your decision first.`,
    ...Object.fromEntries(undecided.map(({ id }) => [alertField(id), 'Decide on this alert first.'])),
  }
}

/** The decisions that a clearance rests on, as notes of the line. */
export const alertNotes = (alerts: OrderAlerts, lineId: string): DecisionNote[] =>
  alerts.view.alerts.flatMap(({ lineIds, needsDecision, title, decision }): DecisionNote[] =>
    needsDecision && decision && lineIds.includes(lineId)
      ? [
          {
            kind: 'alert',
            text: `${title}. ${decision.text} Decided by ${decision.by}, ${formatDay(decision.at)}.`,
          },
        ]
      : [],
  )
