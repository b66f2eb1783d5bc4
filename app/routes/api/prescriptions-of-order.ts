import { listOrderPrescriptions } from '#server/orders/get-order.ts'
import { apiLoader, methodNotAllowed, privateReply } from '../../http/api.server.ts'
import { prescriptionReply } from '../../http/prescription-reply.server.ts'

export const loader = apiLoader(async (ctx, { params }) =>
  privateReply((await listOrderPrescriptions(ctx, params['orderId'] ?? '')).map(prescriptionReply)),
)

export const action = methodNotAllowed('GET')
