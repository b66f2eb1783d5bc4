import { newOrderSchema } from '#domain/order-requests.ts'
import { requireUser } from '#server/accounts/require-user.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import { apiAction, withJson } from '../../lib/api-action.server.ts'
import { onlyMethods, privateReply } from '../../lib/api.server.ts'
import { orderReply } from '../../lib/order-reply.server.ts'

export const loader = onlyMethods('POST')

export const action = apiAction({
  POST: withJson({
    for: 'user',
    schema: newOrderSchema,
    run: async (ctx, { stripePaymentId, total, shippingAddress, prescriptionId }) => {
      const { order, isNew } = await finalizeCheckout(ctx, stripePaymentId, {
        userId: requireUser(ctx).id,
        totalCents: total ?? null,
        shipTo: shippingAddress ?? null,
        prescriptionId: prescriptionId ?? null,
      })
      return privateReply(orderReply(order), isNew ? 201 : 200)
    },
  }),
})
