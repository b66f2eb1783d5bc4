import { requireUser } from '#server/require-user.ts'
import { listUserOrders, requireOrderAccess } from '#server/orders/list-orders.ts'
import { apiLoader, nextLink, onlyMethods, privateReply, readPaging } from '../../http/api.server.ts'
import { orderReply } from '../../http/order-reply.server.ts'

/** One's own at `/api/orders/user`, those of the user that the path names at `/api/orders/user/{userId}`. */
export const loader = apiLoader(async (ctx, { params, url }) => {
  const userId = params['userId'] ?? requireUser(ctx).id
  // Whose list it is comes before a limit that is none (contract, "/api", "Responses").
  await requireOrderAccess(ctx, userId)
  const paging = readPaging(url)
  const orders = (await listUserOrders(ctx, userId, paging)).map(orderReply)
  return privateReply(orders, 200, paging.limit === null ? {} : nextLink(url, orders, paging.limit))
})

export const action = onlyMethods('GET')
