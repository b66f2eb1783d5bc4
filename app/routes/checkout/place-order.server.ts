import { addressText, type Address } from '#domain/accounts/addresses.ts'
import { checkoutFormSchema } from '#domain/checkout/checkout-form.ts'
import { checkoutWords } from '#domain/checkout/checkout-messages.ts'
import { AppError } from '#domain/errors.ts'
import { findPaid, wasJustOrdered } from '#server/checkout/find-paid.ts'
import { openCheckout, openHostedCheckout, type CheckoutInput } from '#server/checkout/create-checkout.ts'
import { readCheckoutLines, type CheckoutLines } from '#server/checkout/get-checkout-lines.ts'
import { toAppError } from '#server/errors.ts'
import { confirmDemoPayment } from '#server/integrations/payments/demo-payments.ts'
import { data, redirect, type RouterContextProvider } from 'react-router'
import { formAction, orRefusal, readForm, textOf } from '../../http/form-action.server.ts'
import type { FormFailure } from '../../http/form-failure.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { finish, leadHome, leadToOrders, leadToSignIn } from './outcome.server.ts'

type Args = { request: Request; context: Readonly<RouterContextProvider> }
type Card = { seen: string; cardNumber: string }

/**
 * The checkout's form. With demo payments it pays by the card that it holds; with a provider's own fields it prepares what they pay (`intent=prepare`), or,
 * where no script runs, leads to the provider's page.
 */
export async function placeOrder(args: Args) {
  const { ctx } = args.context.get(requestContext)
  const form = await readForm(args.request)
  if (!ctx.user) return signedOut(args.request)
  return orRefusal(form, () => placeForm(args, form))
}

async function placeForm(args: Args, form: FormData) {
  const { ctx } = args.context.get(requestContext)
  const seen = textOf(form, 'seen') ?? ''
  const order = await readCheckoutLines(ctx)
  if (order.lines.length === 0) {
    return (await wasJustOrdered(ctx, seen)) ? leadToOrders(args) : leadHome(args, 'Cart is Empty')
  }
  const paid = await findPaid(ctx, seen)
  if (paid !== null) return finish(args, paid)

  const { kind, publishableKey } = ctx.payments
  const asks = { prescription: order.needsPrescription, card: kind === 'demo', now: ctx.now }
  return formAction(form, checkoutFormSchema(asks), async (typed) => {
    refuseChanges(order, form)
    if (kind === 'stripe' && publishableKey === null)
      throw new AppError('UNAVAILABLE', checkoutWords.unavailable)
    const input = toInput(order, typed)
    try {
      if (kind === 'demo')
        return await payByDemoCard(args, input, { seen, cardNumber: typed.cardNumber ?? '' })
      return textOf(form, 'intent') === 'prepare'
        ? await prepare(args, input, seen)
        : await leadToProvider(args, input, seen)
    } catch (error) {
      // The same form, sent twice at once: the other one was first.
      const isSecond = toAppError(error).code === 'CONFLICT' && (await wasJustOrdered(ctx, seen))
      if (isSecond) return leadToOrders(args)
      throw atItsField(error)
    }
  })
}

/** A session that ended meanwhile: with scripts the page stays, and what was typed with it. */
function signedOut({ url }: Request) {
  if (!new URL(url).pathname.endsWith('.data')) return leadToSignIn('/checkout')
  const failure = { intent: '', values: {}, message: checkoutWords.signedOut, fields: {} }
  return data<FormFailure>(failure, { status: 401 })
}

/** What is ordered is what was seen: nothing dearer, nothing less (specification, section 9, "Prices"). */
function refuseChanges({ lines, seen }: CheckoutLines, form: FormData): void {
  const blocked = lines.find((line) => line.problem !== null)
  if (blocked) {
    const sentence = `${blocked.product.name}: ${blocked.problem}`
    throw new AppError('CONFLICT', sentence, { fields: { order: sentence } })
  }
  if (textOf(form, 'seen') !== seen) {
    throw new AppError('CONFLICT', checkoutWords.cartChanged, {
      fields: { order: checkoutWords.cartChanged },
    })
  }
  const hasChanged = lines.some((line) => line.priceCents !== line.priceCentsThen) || form.has('changed')
  if (hasChanged && !form.has('accepted')) {
    throw new AppError('INVALID', checkoutWords.accept, { fields: { accepted: checkoutWords.accept } })
  }
}

function toInput(
  { lines }: CheckoutLines,
  typed: Address & { prescriptionId: string | null },
): CheckoutInput {
  const { streetAddress, city, stateProvince, zipCode, country, prescriptionId } = typed
  const parts = { streetAddress, city, stateProvince, zipCode, country }
  return {
    items: lines.map(({ variant, quantity }) => ({ productVariantId: variant.id, quantity })),
    shipTo: { text: addressText(parts), parts },
    prescriptionId,
  }
}

async function payByDemoCard(args: Args, input: CheckoutInput, { seen, cardNumber }: Card) {
  const { ctx } = args.context.get(requestContext)
  const { payment } = await openCheckout(ctx, input, { keep: true, seen })
  const { status } = await confirmDemoPayment(ctx.db, { clientSecret: payment.clientSecret, cardNumber })
  if (status === 'requires_action') return redirect('/checkout/verify', 303)
  return finish(args, payment.id)
}

/** What the provider's fields pay. */
async function prepare(args: Args, input: CheckoutInput, seen: string) {
  const { ctx } = args.context.get(requestContext)
  const { payment } = await openCheckout(ctx, input, { keep: true, seen })
  if (payment.status === 'succeeded') return finish(args, payment.id)
  return { clientSecret: payment.clientSecret }
}

async function leadToProvider(args: Args, input: CheckoutInput, seen: string): Promise<Response> {
  const { ctx, env } = args.context.get(requestContext)
  const { session } = await openHostedCheckout(ctx, input, {
    seen,
    // The provider puts the page's id there.
    successUrl: `${env.publicOrigin}/order-confirmation?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${env.publicOrigin}/checkout`,
  })
  if (session.url === null) throw new AppError('UNAVAILABLE', checkoutWords.cannotStart, { retryAfter: 5 })
  return redirect(session.url, 303)
}

/** Refusals of the items and of the card stand at the part of the page that shows them. */
function atItsField(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const { code, message, fields, retryAfter } = error
  if (code === 'PAYMENT_REQUIRED')
    return new AppError(code, message, { fields: { payment: message }, cause: error })
  if (!fields['items']) return error
  const options = { fields: { order: fields['items'] }, cause: error }
  return new AppError(code, message, retryAfter === undefined ? options : { ...options, retryAfter })
}
