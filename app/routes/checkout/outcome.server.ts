import * as checkoutMessages from '#domain/checkout/checkout-messages.ts'
import { AppError, httpStatus } from '#domain/errors.ts'
import { paths } from '#domain/paths.ts'
import { hasRecentOrder } from '#server/checkout/find-succeeded-payment.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import type { Context } from '#server/context.ts'
import { toAppError } from '#server/errors.ts'
import { createContext, data, type RouterContextProvider } from 'react-router'
import type { Flash } from '../../http/cookies.server.ts'
import { redirectToSignIn } from '../../http/redirect-to-sign-in.server.ts'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { requestContext } from '../../http/request-context.server.ts'

/**
 * A payment without an order, whether temporary or final. The page shows it instead of the form.
 */
export type PaidWithoutOrder = { paymentId: string; title: string; text: string; supportEmail: string }

/** Whether the request has a paid outcome: the page then shows only that. */
export const hasPaidOutcome = createContext(false)

type Args = { context: Readonly<RouterContextProvider> }

/**
 * Redirects home when the customer is signed out or the cart is empty (specification, section 8).
 * `leaving`: checkout has a client loader, and the router fetches the root's data beside it; that
 * request must not consume the toast.
 */
const redirectHome = (
  args: Args,
  title: 'Login Required' | 'Cart is Empty',
  notice: Pick<Flash, 'kind' | 'text' | 'link'> = { kind: 'error' },
): Promise<Response> =>
  redirectWithToast(args, '/', { ...notice, title, leaving: paths.checkout }, { status: 302 })

/** Redirects a visitor home. Signing in from the toast or the header returns to checkout. */
export const redirectSignedOut = (args: Args): Promise<Response> =>
  redirectHome(args, 'Login Required', {
    kind: 'error',
    text: 'Sign in or create an account. You’ll come back to checkout.',
    link: { href: paths.api.loginFor(paths.checkout), label: 'Sign In' },
  })

/**
 * Redirects a customer home. After their order was placed, as when they go back after paying, the
 * notice says so.
 */
export async function redirectEmptyCart(args: Args): Promise<Response> {
  const { ctx } = args.context.get(requestContext)
  if (!(await hasRecentOrder(ctx))) return redirectHome(args, 'Cart is Empty')
  const text = 'Your order was placed. You’ll find it under My Orders.'
  return redirectHome(args, 'Cart is Empty', { kind: 'info', text })
}

export const redirectToOrders = (args: Args): Promise<Response> =>
  redirectWithToast(args, paths.orderHistory, {
    kind: 'success',
    title: 'Order Placed',
    text: 'Thank you. We’ll email you a confirmation.',
  })

/**
 * Creates the order of a successful payment and redirects. Other failures do not reject the form:
 * the customer has paid, so the page explains what happens to the payment. Throws PAYMENT_REQUIRED
 * and NOT_FOUND.
 */
export async function completeOrder(args: Args, paymentId: string) {
  const { ctx } = args.context.get(requestContext)
  try {
    await finalizeCheckout(ctx, paymentId, ctx.user ? { userId: ctx.user.id } : {})
  } catch (error) {
    const appError = toAppError(error)
    if (appError.code === 'PAYMENT_REQUIRED' || appError.code === 'NOT_FOUND') throw error
    args.context.set(hasPaidOutcome, true)
    return toPaidWithoutOrder(ctx, paymentId, appError, error)
  }
  return ctx.user ? redirectToOrders(args) : redirectToSignIn(paths.orderHistory)
}

function toPaidWithoutOrder(ctx: Context, paymentId: string, appError: AppError, error: unknown) {
  ctx.log.error({ err: error, requestId: ctx.requestId }, 'paid checkout has no order')
  // The message of a refunded payment explains itself. The customer has nothing to do.
  const isRefunded = appError.code === 'CONFLICT'
  const paid: PaidWithoutOrder = {
    paymentId,
    title: isRefunded ? 'No order was placed' : checkoutMessages.paidWithoutOrder,
    text: isRefunded
      ? appError.message
      : 'We’ll keep trying to create it and email you when it’s done. Don’t pay again.',
    supportEmail: ctx.shop.supportEmail,
  }
  return data({ paid }, { status: httpStatus(appError.code) })
}
