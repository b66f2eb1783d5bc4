import { AppError } from '#domain/errors.ts'
import { receivePaymentEvent } from '#server/checkout/handle-payment-event.ts'
import { apiAction, withoutBody } from '../../http/api-action.server.ts'
import { onlyMethods } from '../../http/api.server.ts'
import { readBounded } from '../../http/read-bounded.server.ts'

/** Stripe's events are some kilobytes. */
const maxEventBytes = 256 * 1024

export const loader = onlyMethods('POST')

/**
 * What Stripe tells. The body is signed as it is, so it is read whole and not as JSON; no session and no origin counts here, the
 * signature alone. 200 to whatever was told well, known or not.
 */
export const action = apiAction({
  POST: withoutBody({
    for: 'anyone',
    run: async (ctx, { request }) => {
      if (ctx.payments.kind !== 'stripe') throw new AppError('NOT_FOUND')
      const body = await readBounded(request, maxEventBytes)
      const rawBody = Buffer.from(body).toString('utf8')
      await receivePaymentEvent(ctx, { rawBody, signature: request.headers.get('stripe-signature') })
      return new Response(null, { status: 200, headers: { 'Cache-Control': 'no-store' } })
    },
  }),
})
