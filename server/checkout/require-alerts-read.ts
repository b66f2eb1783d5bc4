import type { AlertCount } from '#domain/alerts/alert-counts.ts'
import * as checkoutMessages from '#domain/checkout/checkout-messages.ts'
import { AppError } from '#domain/errors.ts'
import { screenItems, type CheckoutChoice } from '../alerts/screen-shopping.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { requireUser } from '../require-user.ts'
import type { CheckoutItem } from './freeze-lines.ts'

/**
 * A high alert about an item without a prescription, which no pharmacist decides on, is confirmed
 * by the customer before payment. The confirmation is in the audit log. Other alerts about the
 * chosen dependant are shown once before payment. Returns what the confirmation adds to the report
 * of alerts once the order is placed. Throws UNAUTHENTICATED, INVALID (alertsRead, patientId).
 * @param isRead whether the customer confirmed the alerts that this id stands for
 * @param isShown whether the form had the alerts of the people in `choice`
 */
export async function requireAlertsRead(
  ctx: Context,
  items: readonly CheckoutItem[],
  isRead: (id: string) => boolean,
  { isShown = true, choice }: { isShown?: boolean; choice?: CheckoutChoice } = {},
): Promise<AlertCount[]> {
  const { id: subjectId } = requireUser(ctx)
  const alerts = await screenItems(
    ctx,
    items.map(({ productVariantId: variantId, quantity }) => ({ variantId, quantity })),
    choice,
  )
  if (!alerts?.toConfirm) {
    if (isShown || !alerts?.hasAlertsForDependants) return []
    throw new AppError('INVALID', undefined, { fields: { patientId: checkoutMessages.readPatientAlerts } })
  }
  const { id, counts } = alerts.toConfirm
  if (!isRead(id)) {
    throw new AppError('INVALID', undefined, { fields: { alertsRead: checkoutMessages.readAlerts } })
  }
  await recordAudit(ctx, { action: 'alerts.acknowledged', subjectId })
  return counts
}
