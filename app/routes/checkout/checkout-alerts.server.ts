import { screenCheckout } from '#server/checkout/screen-checkout.ts'
import type { Context } from '#server/context.ts'
import { renderAlertCard } from '../../components/alert-card.server.tsx'

/** The card of alerts, and the id of those to confirm before paying; null when none is high. */
export type CheckoutAlerts = {
  html: string
  confirmationId: string | null
  /** Who the items without a prescription are for; empty for the customer. */
  patientId: string
}

/** Null when there is nothing to compare. */
export async function readCheckoutAlerts(
  ctx: Context,
  choice: { patientId: string | null; prescriptionId: string | null },
): Promise<CheckoutAlerts | null> {
  const alerts = await screenCheckout(ctx, choice)
  return (
    alerts && {
      // Aligned with the other sections of the form.
      html: renderAlertCard(alerts.view, 'p-5 sm:p-7'),
      confirmationId: alerts.toConfirm?.id ?? null,
      patientId: choice.patientId ?? '',
    }
  )
}
