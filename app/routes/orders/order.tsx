import { AppError } from '#domain/errors.ts'
import { dollars } from '#domain/money.ts'
import { toAppError } from '#server/errors.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { orderAgain } from '#server/orders/reorder.ts'
import { readOwnOrder } from '#server/orders/get-order.ts'
import { useEffect, useState } from 'react'
import { Form, redirect, useNavigation, useRouteLoaderData, useSearchParams } from 'react-router'
import { CancelButton, CancelDialog, CancelQuestion, type ShownCancellation } from './CancelOrder.tsx'
import { AddressPart, Part, PaymentPart, PrescriptionPart } from './OrderFacts.tsx'
import { OrderLines } from './OrderLines.tsx'
import { OrderStatusBadge } from '../../components/orders/OrderStatusBadge.tsx'
import { OrderTimeline } from './OrderTimeline.tsx'
import { dayOf, orderRef } from '../../components/orders/order-labels.ts'
import { describeError, RouteError } from '../../components/RouteError.tsx'
import { SignInPrompt } from '../../components/SignInPrompt.tsx'
import { flashHeader, type Flash } from '../../http/cookies.server.ts'
import { readForm, textOf } from '../../http/form-action.server.ts'
import { orUnreached } from '../../http/network-fallback.ts'
import { againFlash, orderPageReply } from '../../http/order-reply.server.ts'
import { asPageError, pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { signedInOrLed } from '../../http/require-signed-in.server.ts'
import type { loader as rootLoader } from '../../root.tsx'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { Printer, RefreshCw } from '../../ui/icons.tsx'
import { showToast } from '../../ui/toasts.ts'
import type { Route } from './+types/order'
import { AccountPage } from '../accounts/AccountPage.tsx'

const missing = 'Order not found'
const failedToCancel = 'Failed to cancel order'

/** An order is shown to whose it is; to anybody else it is as if missing. */
export const loader = pageLoader(async ({ context, params }: Route.LoaderArgs) => {
  const { ctx } = context.get(requestContext)
  if (!ctx.user) throw new AppError('NOT_FOUND', missing)
  return orderPageReply(await readOwnOrder(ctx, params.id))
})

export const action = async (args: Route.ActionArgs) => {
  const { id } = args.params
  const path = `/orders/${encodeURIComponent(id)}`
  signedInOrLed(args, path)
  const { ctx, env } = args.context.get(requestContext)
  const intent = textOf(await readForm(args.request), 'intent')
  const leadTo = async (to: string, flash: Flash) =>
    redirect(to, { status: 303, headers: { 'Set-Cookie': await flashHeader(flash, env) } })
  try {
    if (intent === 'again') {
      const again = await orderAgain(ctx, id)
      return await leadTo(again.inCart.length > 0 ? '/cart' : path, againFlash(again))
    }
    if (intent !== 'cancel') throw new AppError('BAD_REQUEST')
    const { refundCents } = await cancelOrder(ctx, id)
    const text =
      refundCents > 0
        ? `We’ll refund ${dollars(refundCents)} to your card.`
        : 'We had refunded your payment already.'
    return await leadTo(path, { kind: 'success', title: 'Order Cancelled', text })
  } catch (error) {
    const { code, message } = toAppError(error)
    if (code !== 'CONFLICT') throw asPageError(error)
    return leadTo(path, { kind: 'error', title: failedToCancel, text: message })
  }
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => orUnreached(serverAction)

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: args.loaderData ? `Order ${orderRef(args.loaderData.order.id)}` : missing,
    description: args.loaderData
      ? 'What you ordered, and where it is.'
      : 'There is no such order among yours.',
    noindex: true,
  })

export default function Order({ loaderData, actionData }: Route.ComponentProps) {
  const { order, events, refunds, cancellation, prescription, offered } = loaderData
  const [params] = useSearchParams()
  useEffect(() => {
    if (actionData) showToast({ kind: 'error', title: 'Nothing was sent', text: actionData.message })
  }, [actionData])
  const ref = orderRef(order.id)
  const isAsked = cancellation !== null && params.has('cancel')
  return (
    <>
      <p className="page hidden items-baseline justify-between border-b border-line pb-2 print:flex">
        <b className="text-lg">Meridian</b>
        <span>Receipt</span>
      </p>
      <AccountPage
        title={`Order ${ref}`}
        action={<OrderStatusBadge status={order.status} />}
        lead={
          <>
            Placed on <time dateTime={order.createdAt}>{dayOf(order.createdAt)}</time>
          </>
        }
      >
        {isAsked ? <CancelQuestion id={order.id} cancellation={cancellation} /> : null}
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:grid-rows-[auto_1fr]">
          <div className="lg:col-start-2 print:hidden">
            <Part id="progress" title="Progress">
              <OrderTimeline order={order} events={events} />
            </Part>
          </div>
          <div className="grid gap-6 lg:col-start-1 lg:row-span-2 lg:row-start-1">
            <Part id="items" title="Items">
              <div className="mt-1">
                <OrderLines lines={order.items} offered={offered} />
              </div>
              <p className="flex justify-between border-t-2 border-line pt-3 text-lg font-semibold tabular-nums">
                <span>Total</span>
                <span>{dollars(order.total)}</span>
              </p>
              <Actions id={order.id} cancellation={isAsked ? null : cancellation} />
            </Part>
            <div className={`grid items-start gap-6 ${order.hasRx ? 'md:grid-cols-2' : ''}`}>
              <AddressPart order={order} />
              {order.hasRx ? <PrescriptionPart prescription={prescription} /> : null}
            </div>
          </div>
          <div className="lg:col-start-2">
            <PaymentPart order={order} refunds={refunds} />
          </div>
        </div>
      </AccountPage>
    </>
  )
}

type ActionsProps = { id: string; cancellation: ShownCancellation | null }

function Actions({ id, cancellation }: ActionsProps) {
  const [isAsked, setIsAsked] = useState(false)
  const isSending = useNavigation().formData?.get('intent') === 'again'
  return (
    <div className="mt-5 grid gap-3 sm:flex sm:flex-wrap print:hidden">
      <Form
        method="post"
        onSubmit={(event) => {
          if (isSending) event.preventDefault()
        }}
      >
        <Button name="intent" value="again" className="max-sm:w-full" aria-disabled={isSending || undefined}>
          <RefreshCw />
          Order again
        </Button>
      </Form>
      <Button type="button" className="noscript:hidden" onClick={() => window.print()}>
        <Printer />
        Print receipt
      </Button>
      {cancellation ? <CancelButton id={id} onAsk={() => setIsAsked(true)} /> : null}
      <CancelDialog
        id={id}
        cancellation={cancellation}
        isOpen={isAsked && cancellation !== null}
        onClose={() => setIsAsked(false)}
      />
    </div>
  )
}

export function ErrorBoundary({ error, params }: Route.ErrorBoundaryProps) {
  const user = useRouteLoaderData<typeof rootLoader>('root')?.user
  if (describeError(error).status !== 404) return <RouteError error={error} failure={missing} />
  const all = <LinkButton to="/orders">My Orders</LinkButton>
  if (user) {
    return (
      <div className="page max-w-2xl py-16 text-center">
        <h1 className="text-xl sm:text-2xl">{missing}</h1>
        <p className="mt-3 mb-6 text-muted">There is no such order among yours.</p>
        {all}
      </div>
    )
  }
  return (
    <SignInPrompt title={missing} returnTo={`/orders/${encodeURIComponent(params.id ?? '')}`} actions={all}>
      <p>There is no such order among yours. If you have ordered with an account, please sign in.</p>
    </SignInPrompt>
  )
}
