import { orderEditSchema } from '#domain/orders/order-requests.ts'
import { findOrder } from '#server/orders/find-order.ts'
import { getOrder } from '#server/orders/get-order.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { apiAction, withJson } from '../../http/api-action.server.ts'
import { apiLoader, privateReply } from '../../http/api.server.ts'
import { orderReply } from '../../http/order-reply.server.ts'

export const loader = apiLoader(async (ctx, { params }) =>
  privateReply(orderReply(await getOrder(ctx, params['id'] ?? ''))),
)

export const action = apiAction(
  {
    PATCH: withJson({
      for: 'orders.read',
      schema: orderEditSchema,
      find: (ctx, { params }) => findOrder(ctx, params['id'] ?? ''),
      run: async (ctx, edit, { params }) =>
        privateReply(orderReply(await setOrderStatus(ctx, params['id'] ?? '', edit))),
    }),
  },
  ['GET'],
)
