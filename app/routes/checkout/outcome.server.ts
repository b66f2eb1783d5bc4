import { checkoutWords } from '#domain/checkout/checkout-messages.ts'
import { AppError, statusOf } from '#domain/errors.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import type { Context } from '#server/context.ts'
import { toAppError } from '#server/errors.ts'
import { createContext, data, redirect, redirectDocument, type RouterContextProvider } from 'react-router'
import { flashHeader, type Flash } from '../../http/cookies.server.ts'
import { requestContext } from '../../http/request-context.server.ts'

/** Paid, and no order yet or none at all: what is said of it in the form's place. */
export type PaidWithoutOrder = { paymentId: string; title: string; text: string; supportEmail: string }

/** Whether the page has its outcome already, and shows nothing else. */
export const isPaidFor = createContext(false)

type Args = { context: Readonly<RouterContextProvider> }

/** Leads on with the outcome as a toast. */
export async function leadTo(
  { context }: Args,
  path: string,
  flash: Flash,
  status: 302 | 303 = 303,
): Promise<Response> {
  const { env } = context.get(requestContext)
  return redirect(path, { status, headers: { 'Set-Cookie': await flashHeader(flash, env) } })
}

/**
 * Home, for whoever has nothing to check out, or is nobody yet (specification, section 8). Checkout has a loader of the browser's own, beside
 * which the router asks for the root's data: that must not take the message.
 */
export const leadHome = (args: Args, title: 'Login Required' | 'Cart is Empty'): Promise<Response> =>
  leadTo(args, '/', { kind: 'error', title, leaving: '/checkout' }, 302)

export const leadToOrders = (args: Args): Promise<Response> =>
  leadTo(args, '/order-history', {
    kind: 'success',
    title: 'Order Placed',
    text: 'Thank you. A confirmation is on its way to you by email.',
  })

/** Where to sign in for whoever lost their session on the way; from there to `path`. */
export const leadToSignIn = (path: string): Response =>
  redirectDocument(`/api/login?returnTo=${encodeURIComponent(path)}`, 303)

/**
 * The order of a payment that succeeded, and where that leads. A failure is no refusal of the form: the money is there, so the page says what
 * becomes of it. Throws PAYMENT_REQUIRED and NOT_FOUND.
 */
export async function finish(args: Args, paymentId: string) {
  const { ctx } = args.context.get(requestContext)
  try {
    await finalizeCheckout(ctx, paymentId, ctx.user ? { userId: ctx.user.id } : {})
  } catch (error) {
    const appError = toAppError(error)
    if (appError.code === 'PAYMENT_REQUIRED' || appError.code === 'NOT_FOUND') throw error
    args.context.set(isPaidFor, true)
    return withoutOrder(ctx, paymentId, appError, error)
  }
  return ctx.user ? leadToOrders(args) : leadToSignIn('/order-history')
}

function withoutOrder(ctx: Context, paymentId: string, appError: AppError, error: unknown) {
  ctx.log.error({ err: error, requestId: ctx.requestId }, 'paid, and no order')
  // What is refunded says so itself, and asks for nothing.
  const isRefunded = appError.code === 'CONFLICT'
  const paid: PaidWithoutOrder = {
    paymentId,
    title: isRefunded ? 'No order was placed' : checkoutWords.paidWithoutOrder,
    text: isRefunded
      ? appError.message
      : 'We keep trying to create it, and you hear from us by email. Please do not pay again.',
    supportEmail: ctx.shop.supportEmail,
  }
  return data({ paid }, { status: statusOf(appError.code) })
}
