import { adjustmentSchema } from '#domain/inventory/stock-adjustment.ts'
import { adjustStock } from '#server/inventory/adjust-stock.ts'
import { apiAction, withJson } from '../../http/api-action.server.ts'
import { methodNotAllowed, privateReply } from '../../http/api.server.ts'
import { readIdempotencyKey } from '../../http/idempotency-key.server.ts'

export const loader = methodNotAllowed('POST')

export const action = apiAction({
  POST: withJson({
    for: 'stock.write',
    schema: adjustmentSchema,
    run: async (ctx, input, { request }) =>
      privateReply(await adjustStock(ctx, { ...input, requestKey: readIdempotencyKey(request) })),
  }),
})
