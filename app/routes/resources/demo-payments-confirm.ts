import { AppError } from '#domain/errors.ts'
import { confirmDemoPayment, toDemoReply } from '#server/integrations/payments/demo-payments.ts'
import { z } from 'zod'
import { apiAction, withJson } from '../../http/api-action.server.ts'
import { methodNotAllowed, privateReply } from '../../http/api.server.ts'

export const loader = methodNotAllowed('POST')

/**
 * Confirms a demo payment, as Stripe's script does for a real one (contract, "Payment and orders").
 */
export const action = apiAction({
  POST: withJson({
    for: 'anyone',
    schema: z.object({ clientSecret: z.string().max(255), cardNumber: z.string().max(40) }),
    run: async (ctx, input) => {
      if (ctx.payments.kind !== 'demo') throw new AppError('NOT_FOUND')
      return privateReply(toDemoReply(await confirmDemoPayment(ctx.db, input)))
    },
  }),
})
