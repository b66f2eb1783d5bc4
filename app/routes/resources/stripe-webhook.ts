import { AppError } from '#domain/errors.ts'
import { receivePaymentEvent } from '#server/checkout/handle-payment-event.ts'
import { apiAction, withoutBody } from '../../http/api-action.server.ts'
import { methodNotAllowed } from '../../http/api.server.ts'
import { readBounded } from '../../http/read-bounded.server.ts'

/** Stripe's events are a few kilobytes. */
const maxEventBytes = 256 * 1024

export const loader = methodNotAllowed('POST')

/**
 * Stripe's webhook. The raw body is signed, so it is read as bytes. Sessions and origins are
 * ignored; only the signature authenticates. Responds with 200 to every validly signed event, known
 * or not.
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
