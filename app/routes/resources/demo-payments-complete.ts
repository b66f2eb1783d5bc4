import { AppError } from '#domain/errors.ts'
import { completeDemoPayment, toDemoReply } from '#server/integrations/payments/demo-payments.ts'
import { z } from 'zod'
import { apiAction, withJson } from '../../http/api-action.server.ts'
import { methodNotAllowed, privateReply } from '../../http/api.server.ts'

export const loader = methodNotAllowed('POST')

/** Completes the second step of a demo payment. */
export const action = apiAction({
  POST: withJson({
    for: 'anyone',
    schema: z.object({ clientSecret: z.string().max(255), outcome: z.enum(['succeed', 'fail']) }),
    run: async (ctx, input) => {
      if (ctx.payments.kind !== 'demo') throw new AppError('NOT_FOUND')
      return privateReply(toDemoReply(await completeDemoPayment(ctx.db, input)))
    },
  }),
})
