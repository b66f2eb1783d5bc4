import * as checkoutMessages from '#domain/checkout/checkout-messages.ts'
import { AppError } from '#domain/errors.ts'
import { dollars } from '#domain/money.ts'
import { paths } from '#domain/paths.ts'
import { findPaymentToVerify } from '#server/checkout/find-payment-to-verify.ts'
import { toAppError } from '#server/errors.ts'
import { completeDemoPayment } from '#server/integrations/payments/demo-payments.ts'
import { redirect, useNavigation } from 'react-router'
import { readForm, getText } from '../../http/form-action.server.ts'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { toPageError, pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { ShieldCheck } from '../../ui/icons.tsx'
import { PostForm } from '../../ui/PostForm.tsx'
import type { Route } from './+types/verify'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { completeOrder, hasPaidOutcome, redirectSignedOut } from './outcome.server.ts'
import { PaidNotice } from './PaidNotice.tsx'

/** Stands in for the page of the customer's bank. The session determines the payment. */
export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const { ctx } = args.context.get(requestContext)
  if (ctx.payments.kind !== 'demo') throw new AppError('NOT_FOUND', '404 Page Not Found')
  if (!ctx.user) throw await redirectSignedOut(args)
  if (args.context.get(hasPaidOutcome)) return { amountCents: 0, paymentId: '' }
  const payment = await findPaymentToVerify(ctx)
  if (!payment) throw redirect(paths.checkout)
  return { amountCents: payment.amountCents, paymentId: payment.id }
})

export const action = async (args: Route.ActionArgs) => {
  const { ctx } = args.context.get(requestContext)
  const form = await readForm(args.request)
  if (ctx.payments.kind !== 'demo') throw toPageError(new AppError('NOT_FOUND', '404 Page Not Found'))
  if (!ctx.user) return redirectSignedOut(args)
  const payment = await findPaymentToVerify(ctx)
  const shownId = getText(form, 'payment') ?? payment?.id
  if (shownId === undefined) return redirect(paths.checkout, 303)
  if (payment?.id !== shownId) return completeEarlierPayment(args, shownId)
  try {
    const outcome = getText(form, 'outcome') === 'succeed' ? 'succeed' : 'fail'
    await completeDemoPayment(ctx.db, { clientSecret: payment.clientSecret, outcome })
    return await completeOrder(args, payment.id)
  } catch (error) {
    const { code, message } = toAppError(error)
    if (code !== 'PAYMENT_REQUIRED') throw toPageError(error)
    return redirectWithToast(args, paths.checkout, {
      kind: 'error',
      title: checkoutMessages.failed,
      text: message,
    })
  }
}

/**
 * The form was sent twice or late, or another tab has started another payment. The payment that the
 * page showed may be an order by now.
 */
async function completeEarlierPayment(args: Route.ActionArgs, paymentId: string) {
  try {
    return await completeOrder(args, paymentId)
  } catch (error) {
    const { code } = toAppError(error)
    if (code !== 'PAYMENT_REQUIRED' && code !== 'NOT_FOUND') throw toPageError(error)
    return redirect(paths.checkout, 303)
  }
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Confirm your payment',
    description: 'Verify your payment with your bank.',
    noindex: true,
  })

export default function VerifyPayment({ loaderData, actionData }: Route.ComponentProps) {
  const { amountCents, paymentId } = loaderData
  const isSending = useNavigation().state !== 'idle'
  if (actionData && 'paid' in actionData) {
    return (
      <div className="page py-8">
        <h1 className="text-xl sm:text-2xl">Checkout</h1>
        <PaidNotice paid={actionData.paid} />
      </div>
    )
  }
  return (
    <div className="page max-w-md py-10 sm:py-14">
      <h1 className="text-xl sm:text-2xl">Confirm your payment</h1>
      <div className="card mt-6 p-5 sm:p-7">
        <span className="tile size-11 rounded-full text-primary">
          <ShieldCheck />
        </span>
        <p className="mt-4">
          Your bank asks you to confirm your payment of <b className="tabular-nums">{dollars(amountCents)}</b>{' '}
          to Meridian.
        </p>
        <p className="mt-2 text-sm text-muted">
          This is a demo. You won’t be charged, and no bank is contacted.
        </p>
        {actionData ? (
          <div className="mt-4">
            <Alert kind="error" title={actionData.message ?? ''} />
          </div>
        ) : null}
        <PostForm action={paths.checkoutVerify} className="mt-6 grid gap-3">
          <input type="hidden" name="payment" value={paymentId} />
          <Button kind="primary" name="outcome" value="succeed" aria-disabled={isSending || undefined}>
            Complete
          </Button>
          <Button name="outcome" value="fail" aria-disabled={isSending || undefined}>
            Fail
          </Button>
        </PostForm>
      </div>
    </div>
  )
}
