import { decimalFromCents } from '#domain/money.ts'
import { paymentIntentSchema } from '#domain/orders/order-requests.ts'
import { requireAlertsRead } from '#server/checkout/require-alerts-read.ts'
import { startCheckout } from '#server/checkout/start-checkout.ts'
import { findChosenPrescription } from '#server/dispensing/find-chosen-prescription.ts'
import { requireUser } from '#server/require-user.ts'
import { apiAction, withJson } from '../../http/api-action.server.ts'
import { methodNotAllowed, privateReply } from '../../http/api.server.ts'

export const loader = methodNotAllowed('POST')

export const action = apiAction({
  POST: withJson({
    for: 'user',
    schema: paymentIntentSchema,
    run: async (ctx, { items, shippingAddress, prescriptionId = null, alertsRead }) => {
      const prescription = await findChosenPrescription(ctx, requireUser(ctx).id, prescriptionId)
      const confirmedAlerts =
        alertsRead === undefined
          ? []
          : await requireAlertsRead(ctx, items, () => alertsRead, {
              choice: { patientId: null, prescription },
            })
      const { payment, totalCents } = await startCheckout(ctx, {
        items,
        shipTo: shippingAddress ?? null,
        prescriptionId,
        confirmedAlerts,
      })
      return privateReply({ clientSecret: payment.clientSecret, total: decimalFromCents(totalCents) })
    },
  }),
})
