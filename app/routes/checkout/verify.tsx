import { checkoutWords } from '#domain/checkout/checkout-messages.ts'
import { AppError } from '#domain/errors.ts'
import { dollars } from '#domain/money.ts'
import { findSecondStep } from '#server/checkout/second-step.ts'
import { toAppError } from '#server/errors.ts'
import { completeDemoPayment } from '#server/integrations/payments/demo-payments.ts'
import { Form, redirect, useNavigation } from 'react-router'
import { readForm, textOf } from '../../http/form-action.server.ts'
import { orUnreached } from '../../http/network-fallback.ts'
import { asPageError, pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { ShieldCheck } from '../../ui/icons.tsx'
import type { Route } from './+types/verify'
import { finish, isPaidFor, leadHome, leadTo } from './outcome.server.ts'
import { PaidNotice } from './PaidNotice.tsx'

/** Plays the page of the customer's bank. Which payment it is about is known by who is signed in. */
export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const { ctx } = args.context.get(requestContext)
  if (ctx.payments.kind !== 'demo') throw new AppError('NOT_FOUND', '404 Page Not Found')
  if (!ctx.user) throw await leadHome(args, 'Login Required')
  if (args.context.get(isPaidFor)) return { amountCents: 0, paymentId: '' }
  const payment = await findSecondStep(ctx)
  if (!payment) throw redirect('/checkout')
  return { amountCents: payment.amountCents, paymentId: payment.id }
})

export const action = async (args: Route.ActionArgs) => {
  const { ctx } = args.context.get(requestContext)
  const form = await readForm(args.request)
  if (ctx.payments.kind !== 'demo') throw asPageError(new AppError('NOT_FOUND', '404 Page Not Found'))
  if (!ctx.user) return leadHome(args, 'Login Required')
  const payment = await findSecondStep(ctx)
  const shown = textOf(form, 'payment') ?? payment?.id
  if (shown === undefined) return redirect('/checkout', 303)
  if (payment?.id !== shown) return leadOn(args, shown)
  try {
    const outcome = textOf(form, 'outcome') === 'succeed' ? 'succeed' : 'fail'
    await completeDemoPayment(ctx.db, { clientSecret: payment.clientSecret, outcome })
    return await finish(args, payment.id)
  } catch (error) {
    const { code, message } = toAppError(error)
    if (code !== 'PAYMENT_REQUIRED') throw asPageError(error)
    return leadTo(args, '/checkout', { kind: 'error', title: checkoutWords.failed, text: message })
  }
}

/** The page came twice, or late, or another tab has begun another payment: what it showed may have become an order by now. */
async function leadOn(args: Route.ActionArgs, paymentId: string) {
  try {
    return await finish(args, paymentId)
  } catch (error) {
    const { code } = toAppError(error)
    if (code !== 'PAYMENT_REQUIRED' && code !== 'NOT_FOUND') throw asPageError(error)
    return redirect('/checkout', 303)
  }
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => orUnreached(serverAction)

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'Confirm your payment',
    description: 'The second step of a payment, as a bank asks for it.',
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
          Your bank asks whether it is you who pays <b className="tabular-nums">{dollars(amountCents)}</b> to
          Meridian.
        </p>
        <p className="mt-2 text-sm text-muted">This is a demo: no money moves, and no bank is asked.</p>
        {actionData ? (
          <div className="mt-4">
            <Alert kind="error" title={actionData.message ?? ''} />
          </div>
        ) : null}
        <Form
          method="post"
          action="/checkout/verify"
          className="mt-6 grid gap-3"
          onSubmit={(event) => {
            if (isSending) event.preventDefault()
          }}
        >
          <input type="hidden" name="payment" value={paymentId} />
          <Button kind="primary" name="outcome" value="succeed" aria-disabled={isSending || undefined}>
            Complete
          </Button>
          <Button name="outcome" value="fail" aria-disabled={isSending || undefined}>
            Fail
          </Button>
        </Form>
      </div>
    </div>
  )
}
