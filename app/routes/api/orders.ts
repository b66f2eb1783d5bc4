import { newOrderSchema } from '#domain/orders/order-requests.ts'
import { requirePermission, requireUser } from '#server/require-user.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import { listAllOrders } from '#server/orders/list-orders.ts'
import { apiAction, withJson } from '../../http/api-action.server.ts'
import { apiLoader, nextLink, privateReply, privateStream, readPaging } from '../../http/api.server.ts'
import { orderReply, ordersReply } from '../../http/order-reply.server.ts'

export const loader = apiLoader(async (ctx, { url }) => {
  // Checked before the parameters, so that others learn nothing about them.
  requirePermission(ctx, 'customers.export')
  const paging = readPaging(url)
  const orders = ordersReply(await listAllOrders(ctx, paging))
  if (paging.limit === null) return privateStream(url, orders)
  const page = []
  for await (const order of orders) page.push(order)
  return privateReply(page, 200, nextLink(url, page, paging.limit))
})

export const action = apiAction(
  {
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
  },
  ['GET'],
)
