import { listOrderPrescriptions } from '#server/orders/read-order.ts'
import { apiLoader, onlyMethods, privateReply } from '../../lib/api.server.ts'
import { prescriptionReply } from '../../lib/prescription-reply.server.ts'

export const loader = apiLoader(async (ctx, { params }) =>
  privateReply((await listOrderPrescriptions(ctx, params['orderId'] ?? '')).map(prescriptionReply)),
)

export const action = onlyMethods('GET')
