import { checkoutMessages } from '#domain/checkout/checkout-messages.ts'
import { AppError } from '#domain/errors.ts'
import { screenItems } from '../alerts/screen-shopping.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { requireUser } from '../require-user.ts'
import type { CheckoutItem } from './freeze-lines.ts'

/**
 * A high alert about an item without a prescription, which no pharmacist decides on, is confirmed
 * by the customer before payment. The confirmation is in the audit log. Throws UNAUTHENTICATED,
 * INVALID (alertsRead).
 */
export async function requireAlertsRead(
  ctx: Context,
  items: readonly CheckoutItem[],
  hasRead: boolean,
): Promise<void> {
  const { id: subjectId } = requireUser(ctx)
  const alerts = await screenItems(
    ctx,
    items.map(({ productVariantId: variantId, quantity }) => ({ variantId, quantity })),
  )
  if (!alerts?.needsReading) return
  if (!hasRead) {
    throw new AppError('INVALID', undefined, { fields: { alertsRead: checkoutMessages.readAlerts } })
  }
  await recordAudit(ctx, { action: 'alerts.acknowledged', subjectId })
}
