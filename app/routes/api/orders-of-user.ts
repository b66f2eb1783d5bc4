import { requireUser } from '#server/require-user.ts'
import { listUserOrders, requireOrderAccess } from '#server/orders/list-orders.ts'
import { apiLoader, nextLink, methodNotAllowed, privateReply, readPaging } from '../../http/api.server.ts'
import { orderReply } from '../../http/order-reply.server.ts'
import { wholeListHeaders } from '../../http/deprecated-calls.ts'

/** `/api/orders/user`: the caller's own orders. `/api/orders/user/{userId}`: that user's orders. */
export const loader = apiLoader(async (ctx, { params, url }) => {
  const userId = params['userId'] ?? requireUser(ctx).id
  // Permission is checked before an invalid limit is reported (contract, "/api", "Responses").
  await requireOrderAccess(ctx, userId)
  const paging = readPaging(url)
  const orders = (await listUserOrders(ctx, userId, paging)).map(orderReply)
  const { limit } = paging
  return privateReply(orders, 200, limit === null ? wholeListHeaders(url) : nextLink(url, orders, limit))
})

export const action = methodNotAllowed('GET')
