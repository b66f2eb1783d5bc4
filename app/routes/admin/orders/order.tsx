import type { AdminOrderDetails } from '#domain/orders/admin-orders.ts'
import { setStatusSchema, undoStatusSchema } from '#domain/orders/admin-orders.ts'
import { can } from '#domain/accounts/permissions.ts'
import { orderBadges, orderStatuses } from '#domain/orders/order-status.ts'
import { statusPermission } from '#domain/orders/status-change.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { listSentRecalls } from '#server/recalls/list-sent-recalls.ts'
import { listDraftLabels } from '#server/reviews/list-draft-labels.ts'
import { previewStatusChange } from '#server/reviews/preview-status-change.ts'
import { setOrderStatus } from '#server/orders/set-order-status.ts'
import { undoStatusChange } from '#server/orders/undo-status-change.ts'
import { useRef, useState } from 'react'
import { z } from 'zod'
import { OrderStatusBadge } from '../../../components/orders/OrderStatusBadge.tsx'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { adminAction, adminLoader } from '../../../http/admin-loader.server.ts'
import { formAction, getText } from '../../../http/form-action.server.ts'
import type { FormFailure } from '../../../http/form-failure.ts'
import { withNetworkFallback } from '../../../http/network-fallback.ts'
import { redirectWithToast } from '../../../http/redirect-with-toast.server.ts'
import { trpc } from '../../../http/trpc.ts'
import { Receipt } from '../../../ui/admin-icons.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Button, LinkButton } from '../../../ui/Button.tsx'
import { Package, Printer } from '../../../ui/icons.tsx'
import { Link } from '../../../render/Link.tsx'
import type { Route } from './+types/order'
import { AdminCard } from './AdminCard.tsx'
import { CaseLink } from './CaseLink.tsx'
import { ApplyStatus, UndoStatus } from './StatusForms.tsx'
import { ConfirmStatusChange } from './ConfirmStatusChange.tsx'
import { ItemsCard } from './ItemsCard.tsx'
import { CustomerCard, OrderCard, PrescriptionCard, RefundsCard } from './OrderCards.tsx'
import { LotProblems } from './LotProblems.tsx'
import { NotesCard } from './NotesCard.tsx'
import { RefundDialog } from './RefundDialog.tsx'
import { SentRecalls } from './SentRecalls.tsx'
import { ShippingCard, useShipmentEdit } from './ShippingCard.tsx'
import { StatusHistory } from './StatusHistory.tsx'
import { StatusSelect } from './StatusSelect.tsx'
import { savesShipment, useStatusChange } from './use-status-change.ts'
import { AdminPage } from '../frame/AdminPage.tsx'
import { reportBadInput } from '../frame/report-bad-input.ts'
import { useCan } from '../frame/use-can.ts'

const statusSchema = z.enum(orderStatuses)

export const loader = adminLoader('orders.read', async (ctx, { request, params }: Route.LoaderArgs) => {
  const order = await getAdminOrder(ctx, params.id)
  const draftLabels = await listDraftLabels(ctx, order.id)
  const shown = { order, draftLabels, sentRecalls: await listSentRecalls(ctx, order.id) }
  // Chosen without scripts: the page says what it does before it is applied.
  const status = statusSchema.safeParse(new URL(request.url).searchParams.get('status')).data
  const allowed = status && can(ctx.user, statusPermission(status))
  if (!allowed || status === order.status) return { ...shown, choice: null }
  const preview = await previewStatusChange(ctx, { target: { ids: [order.id] }, status })
  return { ...shown, choice: { status, preview } }
})

const undoFormSchema = undoStatusSchema.pick({ changeId: true })
const statusFormSchema = setStatusSchema.pick({ status: true, expectedStatus: true })

/** Sets the status, or undoes that, without scripts. */
export const action = adminAction('orders.read', async (ctx, args: Route.ActionArgs, form) => {
  const { id } = args.params
  const done = (title: string) => redirectWithToast(args, adminPaths.order(id), { kind: 'success', title })
  if (getText(form, 'intent') === 'undo')
    return formAction(form, undoFormSchema, async ({ changeId }) => {
      await undoStatusChange(ctx, { id, changeId })
      return done('Status change undone')
    })
  return formAction(form, statusFormSchema, async (edit) => {
    await setOrderStatus(ctx, id, edit)
    return done(`Status set to ${orderBadges[edit.status].label}`)
  })
})

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  withNetworkFallback(serverAction, request)

/** One order with all its actions (specification, "Admin area"). */
export default function OrderPage({ loaderData, actionData }: Route.ComponentProps) {
  const { id } = loaderData.order
  const { data: order } = trpc.orders.get.useQuery({ id }, { initialData: loaderData.order })
  const utils = trpc.useUtils()
  const userCan = useCan()
  const [isRefunding, setRefunding] = useState(false)
  const shipment = useShipmentEdit(order)
  const shipmentForm = useRef<HTMLFormElement>(null)
  const change = useStatusChange({
    withShipment: shipment.withShipment,
    patch: (_, status) => {
      const before = utils.orders.get.getData({ id })
      utils.orders.get.setData({ id }, (order) => order && { ...order, status })
      return () => utils.orders.get.setData({ id }, before)
    },
    refresh: () => utils.orders.get.invalidate({ id }),
  })
  const rejected =
    change.results?.find(({ error }) => error !== null)?.error ?? (actionData && describeFailure(actionData))
  return (
    <AdminPage
      title={`Order ${orderRef(id)}`}
      back={{ to: adminPaths.orders, label: 'Orders' }}
      actions={
        <>
          <LinkButton kind="quiet" to={adminPaths.packingSlip(id)}>
            <Printer /> Packing slip
          </LinkButton>
          <LinkButton kind="quiet" to={adminPaths.shippingLabel(id)}>
            <Package /> Shipping label
          </LinkButton>
          {userCan('refunds.create') ? (
            <Button type="button" disabled={refundable(order) === 0} onClick={() => setRefunding(true)}>
              <Receipt /> Refund
            </Button>
          ) : null}
        </>
      }
    >
      {order.destinationWarning ? (
        <div className="mb-3">
          <Alert kind="warning" title="No pharmacy ships this order to its destination">
            {order.destinationWarning} Contact the customer first.
          </Alert>
        </div>
      ) : null}
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <OrderStatusBadge status={order.status} />
        <StatusSelect
          order={order}
          change={{
            ...change,
            setOrderStatus: async (order, status, preview) => {
              const form = savesShipment(status) ? shipmentForm.current : null
              if (form === null || !reportBadInput(form)) await change.setOrderStatus(order, status, preview)
            },
          }}
          isWide
        />
      </div>
      {rejected ? (
        <p role="alert" className="mb-3 rounded-box border border-error p-3">
          {rejected} {order.hasRx ? <CaseLink orderId={id} /> : null}
        </p>
      ) : null}
      {loaderData.choice ? <ApplyStatus order={order} {...loaderData.choice} /> : null}
      {order.undo ? <UndoStatus undo={order.undo} /> : null}
      {order.recalls.length > 0 ? (
        <div className="mb-3">
          <Alert kind="warning" title="A recall keeps this order from shipping">
            <ul>
              {order.recalls.map((message) => (
                <li key={message}>{message}</li>
              ))}
            </ul>
            {userCan('orders.medicines') ? (
              <Link to={adminPaths.orderLots(id)} className="text-link">
                Check the packages and lots
              </Link>
            ) : null}
          </Alert>
        </div>
      ) : null}
      <LotProblems orderId={id} problems={order.lotProblems} />
      <SentRecalls recalls={loaderData.sentRecalls} />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="grid gap-4">
          <ItemsCard order={order} draftLabels={loaderData.draftLabels} />
          <div className="grid gap-4 md:grid-cols-2">
            <CustomerCard order={order} />
            <OrderCard order={order} />
          </div>
          <ShippingCard order={order} shipment={shipment} ref={shipmentForm} />
        </div>
        <div className="grid gap-4">
          <StatusHistory order={order} />
          <PrescriptionCard order={order} />
          <RefundsCard refunds={order.refunds} />
          <NotesCard order={order} />
          {userCan('prescriptions.review') ? (
            <div className="print:hidden">
              <AdminCard title="Messages">
                <p className="mb-3 text-muted">
                  Questions and answers between the customer and a pharmacist.
                </p>
                <LinkButton to={adminPaths.thread(id)}>Messages with the customer</LinkButton>
              </AdminCard>
            </div>
          ) : null}
        </div>
      </div>
      <ConfirmStatusChange change={change} />
      <RefundDialog order={order} open={isRefunding} onClose={() => setRefunding(false)} />
    </AdminPage>
  )
}

const describeFailure = ({ message, fields }: FormFailure): string =>
  message ?? (fields['changeId'] ? 'Choose the change to undo.' : 'Choose a status.')

const refundable = ({ leftToRefund }: AdminOrderDetails): number => Number(leftToRefund)
