import { AppError } from '#domain/errors.ts'
import { dollars } from '#domain/money.ts'
import type { OrderStatus } from '#domain/orders/order-status.ts'
import { paths } from '#domain/paths.ts'
import { serverPaths } from '#domain/server-paths.ts'
import { toAppError } from '#server/errors.ts'
import { emptyThread } from '#domain/messages/messages.ts'
import { messageSchema } from '#domain/messages/message-input.ts'
import { listOwnThreads } from '#server/messages/list-thread.ts'
import { sendToPharmacy } from '#server/messages/send-message.ts'
import { cancelOrder } from '#server/orders/cancel-order.ts'
import { reorder } from '#server/orders/reorder.ts'
import { listOrderRecalls } from '#server/recalls/list-order-recalls.ts'
import { getOrderDetails } from '#server/orders/get-order.ts'
import { useEffect, useRef, useState } from 'react'
import { useNavigation } from 'react-router'
import { CancelButton, CancelDialog, CancelQuestion, type CancellationView } from './CancelOrder.tsx'
import { AddressSection, Section, PaymentSection, PrescriptionSection } from './OrderFacts.tsx'
import { OrderRecalls } from './OrderRecalls.tsx'
import { OrderLines } from './OrderLines.tsx'
import { RefusedItems } from './RefusedItems.tsx'
import { OrderStatusBadge } from '../../components/orders/OrderStatusBadge.tsx'
import { OrderTimeline } from './OrderTimeline.tsx'
import { formatDay, orderRef } from '../../components/orders/order-labels.ts'
import { describeError, RouteError } from '../../components/RouteError.tsx'
import { MessageForm, MessageThread } from '../../components/messages/MessageThread.tsx'
import { messageSent } from '../../components/messages/message-sent.ts'
import { SignInPrompt } from '../../components/SignInPrompt.tsx'
import { formAction, readForm, getText } from '../../http/form-action.server.ts'
import type { FormFailure } from '../../http/form-failure.ts'
import { hasSessionExpired } from '../../http/has-session-expired.server.ts'
import { withNetworkFallback } from '../../http/network-fallback.ts'
import { reorderFlash, orderPageReply } from '../../http/order-reply.server.ts'
import { toPageError, pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { requestContext } from '../../http/request-context.server.ts'
import { requireSignedIn } from '../../http/require-signed-in.server.ts'
import { redirectWithToast } from '../../http/redirect-with-toast.server.ts'
import { useFrame } from '../../components/frame.ts'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { Printer, RefreshCw } from '../../ui/icons.tsx'
import { PostForm } from '../../ui/PostForm.tsx'
import { showToast } from '../../ui/toasts.ts'
import { useQueryParams } from '../../ui/use-query-params.ts'
import type { Route } from './+types/order'
import { AccountPage } from '../accounts/AccountPage.tsx'

const notFound = 'Order not found'
const unsent = 'Message to the pharmacy'
const cancelFailed = 'Failed to cancel order'

const hasShipped = (status: OrderStatus): boolean => status === 'shipped' || status === 'delivered'

/** Only the customer sees the order; for everyone else it does not exist. */
export const loader = pageLoader(async ({ context, params }: Route.LoaderArgs) => {
  const { ctx } = context.get(requestContext)
  if (context.get(hasSessionExpired)) return null
  if (!ctx.user) throw new AppError('NOT_FOUND', notFound)
  const details = orderPageReply(await getOrderDetails(ctx, params.id))
  const threads = await listOwnThreads(ctx, [params.id])
  const recalls = await listOrderRecalls(ctx, params.id)
  return {
    ...details,
    recalls,
    /** Where the customer reports a problem with what has shipped. */
    contactPath: hasShipped(details.order.status) ? serverPaths.contactAbout(orderRef(params.id)) : null,
    thread: threads.get(params.id) ?? emptyThread,
    messageKey: crypto.randomUUID(),
  }
})

export const action = async (args: Route.ActionArgs) => {
  const { id } = args.params
  const path = paths.order(id)
  const { ctx } = args.context.get(requestContext)
  const form = await readForm(args.request)
  const intent = getText(form, 'intent')
  if (intent === 'message') {
    args.context.set(hasSessionExpired, ctx.user === null)
    return formAction(
      form,
      messageSchema,
      async ({ message, requestKey }) => {
        await sendToPharmacy(ctx, { subjectId: id, text: message, requestKey })
        return redirectWithToast(args, `${path}#messages`, messageSent)
      },
      ctx,
    )
  }
  requireSignedIn(args, path)
  try {
    if (intent === 'again' || intent === 'again-refused') {
      const result = await reorder(ctx, id, intent === 'again' ? 'remaining' : 'refused')
      return await redirectWithToast(args, result.inCart.length > 0 ? paths.cart : path, reorderFlash(result))
    }
    if (intent !== 'cancel') throw new AppError('BAD_REQUEST')
    const { refundCents, card } = await cancelOrder(ctx, id)
    const texts = {
      refunds: `We’ll refund ${dollars(refundCents)} to your card.`,
      voids: 'Your card was not charged.',
      waits: 'If your card was charged, we’ll refund it in full.',
      nothing: 'We already refunded your payment.',
    } as const satisfies Record<typeof card, string>
    return await redirectWithToast(args, path, {
      kind: 'success',
      title: 'Order Cancelled',
      text: texts[card],
    })
  } catch (error) {
    const { code, message } = toAppError(error)
    if (code !== 'CONFLICT') throw toPageError(error)
    return redirectWithToast(args, path, { kind: 'error', title: cancelFailed, text: message })
  }
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => withNetworkFallback(serverAction)

/** The data is absent when there is no such order, and null on the page of an unsent message. */
function describePage(loaderData: Route.MetaArgs['loaderData'] | null) {
  if (loaderData)
    return { title: `Order ${orderRef(loaderData.order.id)}`, description: 'Your order and its status.' }
  return loaderData === null
    ? { title: unsent, description: 'Your message hasn’t been sent yet.' }
    : { title: notFound, description: 'We couldn’t find this order in your account.' }
}

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, { ...describePage(args.loaderData), noindex: true })

export default function Order({ params, loaderData, actionData }: Route.ComponentProps) {
  return loaderData ? (
    <OrderPage loaderData={loaderData} actionData={actionData} />
  ) : (
    <UnsentMessage orderId={params.id} failure={actionData ?? null} />
  )
}

/** Without scripts, the page of a message that was sent after the session ended. */
const UnsentMessage = ({ orderId, failure }: { orderId: string; failure: FormFailure | null }) => (
  <AccountPage title={unsent} intro="Your message hasn’t been sent yet.">
    <MessageForm
      subjectId={orderId}
      requestKey={failure?.values['requestKey'] ?? ''}
      action={paths.order(orderId)}
      failure={failure}
      needsAnswer={false}
    />
  </AccountPage>
)

type OrderPageProps = {
  loaderData: NonNullable<Route.ComponentProps['loaderData']>
  actionData: Route.ComponentProps['actionData']
}

function OrderPage({ loaderData, actionData }: OrderPageProps) {
  const {
    order,
    events,
    refunds,
    payment,
    cancellation,
    prescription,
    offered,
    lineStates,
    refundedUnits,
    people,
  } = loaderData
  const params = useQueryParams()
  useEffect(() => {
    if (actionData?.isUnreachable)
      showToast({ kind: 'error', title: 'That didn’t go through', text: actionData.message ?? '' })
  }, [actionData])
  const shortId = orderRef(order.id)
  const isConfirming = cancellation !== null && params.has('cancel')
  return (
    <>
      <p className="page hidden items-baseline justify-between border-b border-line pb-2 print:flex">
        <b className="text-lg">Meridian</b>
        <span>Receipt</span>
      </p>
      <AccountPage
        title={`Order ${shortId}`}
        action={<OrderStatusBadge status={order.status} />}
        intro={
          <>
            Placed on <time dateTime={order.createdAt}>{formatDay(order.createdAt)}</time>
          </>
        }
      >
        <OrderRecalls recalls={loaderData.recalls} />
        {isConfirming ? <CancelQuestion id={order.id} cancellation={cancellation} /> : null}
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:grid-rows-[auto_1fr]">
          <div className="lg:col-start-2 print:hidden">
            <Section id="progress" title="Progress">
              <OrderTimeline order={order} events={events} trackingUrl={loaderData.trackingUrl} />
            </Section>
          </div>
          <div className="grid gap-6 lg:col-start-1 lg:row-span-2 lg:row-start-1">
            <Section id="items" title="Items">
              <div className="mt-1">
                {order.items.length > 0 ? (
                  <OrderLines
                    lines={order.items}
                    people={people}
                    offered={offered}
                    states={lineStates}
                    refunded={refundedUnits}
                  />
                ) : null}
                <RefusedItems items={order.refusedItems} people={people} offered={offered} />
              </div>
              <p className="flex flex-wrap justify-between gap-x-4 border-t-2 border-line pt-3 text-lg font-semibold tabular-nums">
                <span>Total</span>
                <span>{dollars(order.total)}</span>
              </p>
              <Actions
                id={order.id}
                cancellation={isConfirming ? null : cancellation}
                contactPath={loaderData.contactPath}
              />
            </Section>
            <div className={`grid items-start gap-6 ${order.hasRx ? 'md:grid-cols-2' : ''}`}>
              <AddressSection order={order} />
              {order.hasRx ? (
                <PrescriptionSection prescription={prescription} isCancelled={order.status === 'cancelled'} />
              ) : null}
            </div>
          </div>
          <div className="lg:col-start-2">
            <div className="mb-6 print:hidden">
              <Section id="messages" title="Messages with the pharmacy">
                <MessageThread
                  subjectId={order.id}
                  thread={loaderData.thread}
                  requestKey={loaderData.messageKey}
                  action={paths.order(order.id)}
                  failure={actionData ?? null}
                />
              </Section>
            </div>
            <PaymentSection order={order} payment={payment} refunds={refunds} />
          </div>
        </div>
      </AccountPage>
    </>
  )
}

type ActionsProps = { id: string; cancellation: CancellationView | null; contactPath: string | null }

function Actions({ id, cancellation, contactPath }: ActionsProps) {
  const [isConfirming, setIsConfirming] = useState(false)
  const isSending = useNavigation().formData?.get('intent') === 'again'
  const group = useRef<HTMLDivElement>(null)
  const couldCancel = useRef(cancellation !== null)
  // Cancel order disappears with the cancellation. Keep keyboard focus at the order.
  useEffect(() => {
    if (couldCancel.current && !cancellation && document.activeElement === document.body)
      group.current?.focus()
    couldCancel.current = cancellation !== null
  }, [cancellation])
  return (
    <div
      ref={group}
      role="group"
      aria-label="Order actions"
      tabIndex={-1}
      className="mt-5 grid gap-3 outline-none sm:flex sm:flex-wrap print:hidden"
    >
      <PostForm>
        <Button name="intent" value="again" className="max-sm:w-full" aria-disabled={isSending || undefined}>
          <RefreshCw />
          Order again
        </Button>
      </PostForm>
      <Button type="button" className="noscript:hidden" onClick={() => window.print()}>
        <Printer />
        Print receipt
      </Button>
      {contactPath ? (
        <LinkButton to={contactPath} className="max-sm:w-full">
          Report a problem
        </LinkButton>
      ) : null}
      {cancellation ? <CancelButton id={id} onOpen={() => setIsConfirming(true)} /> : null}
      <CancelDialog
        id={id}
        cancellation={cancellation}
        isOpen={isConfirming && cancellation !== null}
        onClose={() => setIsConfirming(false)}
      />
    </div>
  )
}

export function ErrorBoundary({ error, params }: Route.ErrorBoundaryProps) {
  const user = useFrame()?.user
  if (describeError(error).status !== 404) return <RouteError error={error} failure={notFound} />
  const allOrders = <LinkButton to={paths.orders}>My Orders</LinkButton>
  if (user) {
    return (
      <div className="page max-w-2xl py-16 text-center">
        <h1 className="text-xl sm:text-2xl">{notFound}</h1>
        <p className="mt-3 mb-6 text-muted">We couldn’t find this order in your account.</p>
        {allOrders}
      </div>
    )
  }
  return (
    <SignInPrompt title={notFound} returnTo={paths.order(params.id ?? '')} actions={allOrders}>
      <p>If you ordered with an account, sign in to see your order.</p>
    </SignInPrompt>
  )
}
