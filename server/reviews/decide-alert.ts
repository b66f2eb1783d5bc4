import { findItem } from '#db/dispensing/items.ts'
import type { AlertDecisionInput } from '#domain/alerts/alert-decision-schema.ts'
import { factsOf, itemIdsOf } from '#domain/alerts/alert-decision.ts'
import { isUndecided } from '#domain/dispensing/dispensing.ts'
import type { Item } from '#domain/dispensing/fill-rules.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { isId } from '#domain/ids.ts'
import { storeAlertDecision } from '../alerts/alert-decisions.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { readItem } from '../dispensing/item-reader.ts'
import { changeLine, throwStale, type LockedLine } from './change-line.ts'
import { refuseLocked } from './refuse-line.ts'
import { readLockedAlerts } from './locked-alerts.ts'
import { requireUnshipped } from './require-unshipped.ts'

/**
 * Records what a pharmacist decided on an alert of an undecided line: it is not relevant, the
 * prescriber was called, the patient was told, or the line is refused. The alert can be one that
 * comes up only with the item that the pharmacist chose. The decision counts at the patient's next
 * fills until the lists say something else. Returns the case. Throws what `changeLine` throws, and
 * CONFLICT when the alert is gone or the order has shipped.
 */
export const decideAlert = (ctx: Context, input: AlertDecisionInput): Promise<ReviewCase> =>
  changeLine(ctx, input, async (ctx, locked) => {
    const { pharmacist, review, order, key } = locked
    if (!isUndecided(review.status)) throwStale()
    requireUnshipped(order)
    const alerts = await readLockedAlerts(ctx, locked, await findChosenItem(ctx, locked, input.itemId))
    const found = alerts.find(input.alertId)
    if (!found?.view.lineIds.includes(review.lineId)) throwStale()
    const { choice, reason, note } = input
    const decision = {
      key: found.alert.key,
      facts: factsOf(found.alert),
      itemIds: itemIdsOf(found.alert),
      patientId: found.patientId,
      about: found.view.title,
      choice,
      reason,
      note,
    }
    await storeAlertDecision(ctx, key, {
      userId: order.userId,
      lineId: review.lineId,
      by: pharmacist.id,
      decision,
    })
    await recordAudit(ctx, { action: 'order.alert-decided', subjectId: order.userId, objectId: order.id })
    if (choice === 'refuse' && note !== null) await refuseLocked(ctx, locked, note, alerts)
  })

/** The item of the customer with this id. Throws as stale when it is no longer there. */
async function findChosenItem(
  ctx: Context,
  { order, key }: LockedLine,
  itemId: string | null,
): Promise<Item | null> {
  if (itemId === null) return null
  const row = isId(itemId) ? await findItem(ctx.db, itemId) : null
  return row?.userId === order.userId ? readItem(key, row) : throwStale()
}
