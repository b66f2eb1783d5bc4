import { checkoutFormSchema } from '#domain/checkout/checkout-form.ts'
import type { Delivery } from '#domain/checkout/delivery.ts'
import { cleanLine } from '#domain/clean-text.ts'
import { addressBounds } from '#domain/accounts/addresses.ts'
import * as checkoutMessages from '#domain/checkout/checkout-messages.ts'
import { AppError } from '#domain/errors.ts'
import { paths } from '#domain/paths.ts'
import { findSucceededPayment, wasJustOrdered } from '#server/checkout/find-succeeded-payment.ts'
import { findCartDelivery } from '#server/checkout/find-delivery.ts'
import type { Context } from '#server/context.ts'
import type { CheckoutInput } from '#server/checkout/create-checkout.ts'
import { getCheckoutLines, type CheckoutLines } from '#server/checkout/get-checkout-lines.ts'
import { findUncovered, prepareCartCheckout } from '#server/checkout/prepare-cart-checkout.ts'
import { startCheckout, startHostedCheckout } from '#server/checkout/start-checkout.ts'
import { toAppError } from '#server/errors.ts'
import { confirmDemoPayment } from '#server/integrations/payments/demo-payments.ts'
import { isPaid } from '#server/integrations/payments/payments.ts'
import { data, redirect, type RouterContextProvider } from 'react-router'
import { formAction, withFormFailure, readForm, getText, typedForm } from '../../http/form-action.server.ts'
import type { FormFailure } from '../../http/form-failure.ts'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { isShownUser, requireShownUser } from '../../http/require-shown-user.server.ts'
import { readCheckoutAlerts, type CheckoutAlerts } from './checkout-alerts.server.ts'
import { completeOrder, redirectEmptyCart, redirectToOrders } from './outcome.server.ts'

type Args = { request: Request; context: Readonly<RouterContextProvider> }
type Card = { seenFingerprint: string; cardNumber: string }

/**
 * The checkout form. With demo payments it pays with the submitted card. With Stripe it prepares
 * the payment for the card fields (`intent=prepare`), or without scripts redirects to Stripe's
 * page.
 */
export async function placeOrder(args: Args) {
  const { ctx } = args.context.get(requestContext)
  const form = await readForm(args.request)
  if (!ctx.user) return replySignedOut(args)
  const reply = await withFormFailure(form, () => submitOrder(args, form), ctx)
  return isFailure(reply) ? data(await withNotes(ctx, reply.data), reply.init ?? undefined) : reply
}

type FailedForm = ReturnType<typeof data<FormFailure>>

const isFailure = (reply: object): reply is FailedForm =>
  'data' in reply && typeof reply.data === 'object' && reply.data !== null && 'fields' in reply.data

/** The alerts for the people chosen in a form, and the delivery to the country that it has. */
export type CheckoutNotes = Delivery & { alerts: CheckoutAlerts | null }

export type CheckoutFailure = FormFailure & Partial<CheckoutNotes>

/**
 * Adds no notes that the server fails to read. The reply to another account's form has no notes and
 * nothing that the other customer typed.
 */
async function withNotes(ctx: Context, failure: FormFailure): Promise<CheckoutFailure> {
  const { userId } = failure.values
  if (userId && !isShownUser(ctx, userId)) return { ...failure, values: { userId } }
  try {
    return { ...failure, ...(await readNotes(ctx, failure.values)) }
  } catch (error) {
    // An error page would replace what the customer typed.
    ctx.log.error({ err: error, requestId: ctx.requestId }, 'checkout notes failed')
    return failure
  }
}

async function readNotes(ctx: Context, values: FormFailure['values']): Promise<CheckoutNotes> {
  const { patientId = null, prescriptionId = null, country = '' } = values
  return {
    alerts: await readCheckoutAlerts(ctx, { patientId, prescriptionId }),
    ...(await findCartDelivery(ctx, cleanLine(country).slice(0, addressBounds.line))),
  }
}

async function submitOrder(args: Args, form: FormData) {
  const { ctx } = args.context.get(requestContext)
  requireShownUser(ctx, form)
  const seenFingerprint = getText(form, 'seen') ?? ''
  const order = await getCheckoutLines(ctx)
  if (order.lines.length === 0) {
    return (await wasJustOrdered(ctx, seenFingerprint)) ? redirectToOrders(args) : redirectEmptyCart(args)
  }
  const paid = await findSucceededPayment(ctx, seenFingerprint)
  if (paid !== null) return completeOrder(args, paid)

  // The page shows what the form's choices mean.
  if (getText(form, 'intent') === 'check') return data(typedForm(form))

  const { kind } = ctx.payments
  const requires = { prescription: prescriptionNeed(order), card: kind === 'demo', now: ctx.now }
  const reply = await formAction(
    form,
    checkoutFormSchema(requires),
    async (fields) => {
      const { prescriptionId, patientId, cardNumber, expiry: _expiry, cardCvc: _cardCvc, ...address } = fields
      const input = await prepareCartCheckout(ctx, order, {
        seenFingerprint,
        hasShownChanges: form.has('changed'),
        isAccepted: form.has('accepted'),
        readAlertsId: getText(form, 'alertsRead'),
        alertsPatientId: getText(form, 'alertsFor') ?? '',
        address,
        prescriptionId,
        patientId: patientId ?? null,
      })
      try {
        if (kind === 'demo') {
          return await payByDemoCard(args, input, { seenFingerprint, cardNumber: cardNumber ?? '' })
        }
        return getText(form, 'intent') === 'prepare'
          ? await preparePayment(args, input, seenFingerprint)
          : await redirectToProvider(args, input, seenFingerprint)
      } catch (error) {
        // The same form was sent twice at once, and the other copy became the order.
        const isSecond = toAppError(error).code === 'CONFLICT' && (await wasJustOrdered(ctx, seenFingerprint))
        if (isSecond) return redirectToOrders(args)
        throw toFieldError(error)
      }
    },
    ctx,
  )
  return isFailure(reply) ? withUncovered(reply, order) : reply
}

/** Without a chosen prescription, also names each line that those on file don't cover. */
function withUncovered({ data: failure, init }: FailedForm, order: CheckoutLines): FailedForm {
  const isMissing = failure.fields['prescriptionId'] === checkoutMessages.choosePrescription
  if (!isMissing || failure.values['prescriptionId']) return data(failure, init ?? undefined)
  return data({ ...failure, fields: { ...failure.fields, ...findUncovered(order) } }, init ?? undefined)
}

/** The customer chooses a prescription for the lines without an item of their own. */
function prescriptionNeed({ needsPrescription, lines }: CheckoutLines): 'required' | 'optional' | 'none' {
  if (!needsPrescription) return 'none'
  return lines.some(({ prescription }) => prescription?.needsPrescription) ? 'required' : 'optional'
}

/** The session has ended. With scripts the page stays and keeps what the customer typed. */
async function replySignedOut(args: Args) {
  if (!new URL(args.request.url).pathname.endsWith('.data')) {
    return redirectWithToast(args, paths.api.loginFor(paths.checkout), checkoutMessages.notPlaced)
  }
  const failure: FormFailure = {
    intent: '',
    values: {},
    message: checkoutMessages.signedOut,
    fields: {},
    isSignedOut: true,
  }
  return data(failure, { status: 401 })
}

async function payByDemoCard(args: Args, input: CheckoutInput, { seenFingerprint, cardNumber }: Card) {
  const { ctx } = args.context.get(requestContext)
  const { payment } = await startCheckout(ctx, input, { resume: true, seenFingerprint })
  const { status } = await confirmDemoPayment(ctx.db, { clientSecret: payment.clientSecret, cardNumber })
  if (status === 'requires_action') return redirect(paths.checkoutVerify, 303)
  return completeOrder(args, payment.id)
}

/** Creates the payment for the provider's card fields. */
async function preparePayment(args: Args, input: CheckoutInput, seenFingerprint: string) {
  const { ctx } = args.context.get(requestContext)
  const { payment } = await startCheckout(ctx, input, { resume: true, seenFingerprint })
  if (isPaid(payment)) return completeOrder(args, payment.id)
  return { clientSecret: payment.clientSecret }
}

async function redirectToProvider(
  args: Args,
  input: CheckoutInput,
  seenFingerprint: string,
): Promise<Response> {
  const { ctx, env } = args.context.get(requestContext)
  const { pageUrl } = await startHostedCheckout(ctx, input, {
    seenFingerprint,
    // The provider fills in the session id.
    successUrl: `${env.publicOrigin}${paths.orderConfirmation}?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: env.publicOrigin + paths.checkout,
  })
  return redirect(pageUrl, 303)
}

/** Attaches errors of the items and the card to the part of the page that shows them. */
function toFieldError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const { code, message, fields, retryAfter } = error
  if (code === 'PAYMENT_REQUIRED')
    return new AppError(code, message, { fields: { payment: message }, cause: error })
  if (!fields['items']) return error
  const options = { fields: { order: fields['items'] }, cause: error }
  return new AppError(code, message, retryAfter === undefined ? options : { ...options, retryAfter })
}
