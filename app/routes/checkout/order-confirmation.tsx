import * as checkoutMessages from '#domain/checkout/checkout-messages.ts'
import { AppError } from '#domain/errors.ts'
import { paths } from '#domain/paths.ts'
import { findReturnedPayment, type PaymentReference } from '#server/checkout/find-returned-payment.ts'
import { toAppError } from '#server/errors.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import type { Route } from './+types/order-confirmation'
import { redirectToSignIn } from '../../http/redirect-to-sign-in.server.ts'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { completeOrder } from './outcome.server.ts'
import { PaidNotice } from './PaidNotice.tsx'

/**
 * The page that a browser returns to after paying (settled decisions, `/order-confirmation`). It
 * creates the order of the payment once, however often it is loaded, also without a session. It
 * never creates a payment.
 */
export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const { ctx } = args.context.get(requestContext)
  const reference = parseReference(new URL(args.request.url).searchParams)
  if (!reference) throw notFound()
  let paymentId: string | null = null
  try {
    paymentId = await findReturnedPayment(ctx, reference)
    if (paymentId === null) throw new AppError('PAYMENT_REQUIRED')
    const outcome = await completeOrder(args, paymentId)
    if (outcome instanceof Response) throw outcome
    return outcome
  } catch (error) {
    const { code } = toAppError(error)
    if (error instanceof Response) throw error
    if (code === 'NOT_FOUND') throw notFound()
    if (code !== 'PAYMENT_REQUIRED') throw error
    throw await redirectUnpaid(args, paymentId)
  }
})

const notFound = () => new AppError('NOT_FOUND', '404 Page Not Found')

/** Provider ids are short words. Anything else is ignored. */
function parseReference(params: URLSearchParams): PaymentReference | null {
  const read = (name: string) => /^\w{4,255}$/.exec(params.get(name) ?? '')?.[0]
  const paymentId = read('payment_intent')
  const sessionId = read('session_id')
  if (paymentId !== undefined) return { paymentId }
  return sessionId === undefined ? null : { sessionId }
}

/** @param paymentId null when a hosted page has created no payment */
async function redirectUnpaid(args: Route.LoaderArgs, paymentId: string | null): Promise<Response> {
  const { ctx } = args.context.get(requestContext)
  if (!ctx.user) return redirectToSignIn(paths.checkout)
  const payment = paymentId === null ? null : await ctx.payments.findPayment(paymentId)
  if (payment?.status === 'processing') {
    return redirectWithToast(args, paths.orderHistory, {
      kind: 'info',
      title: 'Your payment is processing',
      text: 'Your order will appear here once the payment goes through. Don’t pay again.',
    })
  }
  return redirectWithToast(args, paths.checkout, {
    kind: 'error',
    title: checkoutMessages.failed,
    text: 'You weren’t charged. Try again.',
  })
}

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Order Confirmation',
    description: 'The result of your payment.',
    noindex: true,
  })

export default function OrderConfirmation({ loaderData }: Route.ComponentProps) {
  return (
    <div className="page py-8">
      <h1 className="text-xl sm:text-2xl">Order Confirmation</h1>
      <PaidNotice paid={loaderData.paid} />
    </div>
  )
}
