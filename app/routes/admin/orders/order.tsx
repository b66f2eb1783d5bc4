import type { AdminOrderDetails } from '#domain/orders/admin-orders.ts'
import { paths } from '#domain/paths.ts'
import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { useState } from 'react'
import { OrderStatusBadge } from '../../../components/orders/OrderStatusBadge.tsx'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import { trpc } from '../../../http/trpc.ts'
import { Receipt } from '../../../ui/admin-icons.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Button, LinkButton } from '../../../ui/Button.tsx'
import { Package, Printer } from '../../../ui/icons.tsx'
import { Link } from '../../../render/Link.tsx'
import type { Route } from './+types/order'
import { AdminCard } from './AdminCard.tsx'
import { ConfirmStatusChange } from './ConfirmStatusChange.tsx'
import { CustomerCard, ItemsCard, OrderCard, PrescriptionCard, RefundsCard } from './OrderCards.tsx'
import { NotesCard } from './NotesCard.tsx'
import { RefundDialog } from './RefundDialog.tsx'
import { ShippingCard } from './ShippingCard.tsx'
import { StatusHistory } from './StatusHistory.tsx'
import { StatusSelect } from './StatusSelect.tsx'
import { useStatusChange } from './use-status-change.ts'
import { BackLink } from '../frame/BackLink.tsx'
import { AdminPage } from '../frame/AdminPage.tsx'
import { useCan } from '../frame/use-can.ts'

export const loader = adminLoader('orders.read', (ctx, { params }: Route.LoaderArgs) =>
  getAdminOrder(ctx, params.id),
)

/** One order with all its actions (specification, "Admin area"). */
export default function OrderPage({ loaderData }: Route.ComponentProps) {
  const { id } = loaderData
  const { data: order } = trpc.orders.get.useQuery({ id }, { initialData: loaderData })
  const utils = trpc.useUtils()
  const can = useCan()
  const [isRefunding, setRefunding] = useState(false)
  const change = useStatusChange({
    patch: (_, status) => {
      const before = utils.orders.get.getData({ id })
      utils.orders.get.setData({ id }, (order) => order && { ...order, status })
      return () => utils.orders.get.setData({ id }, before)
    },
    refresh: () => utils.orders.get.invalidate({ id }),
  })
  const rejected = change.results?.find(({ error }) => error !== null)
  return (
    <AdminPage
      title={`Order ${orderRef(id)}`}
      actions={
        <>
          <StatusSelect order={order} onSet={change.setOrderStatus} />
          <LinkButton kind="quiet" to={paths.admin.packingSlip(id)}>
            <Printer /> Packing slip
          </LinkButton>
          <LinkButton kind="quiet" to={paths.admin.shippingLabel(id)}>
            <Package /> Label
          </LinkButton>
          {can('refunds.create') ? (
            <Button type="button" disabled={refundable(order) === 0} onClick={() => setRefunding(true)}>
              <Receipt /> Refund
            </Button>
          ) : null}
        </>
      }
    >
      <p className="mb-3 flex flex-wrap items-center gap-3">
        <BackLink to={paths.admin.orders}>Orders</BackLink>
        <OrderStatusBadge status={order.status} />
      </p>
      {rejected ? (
        <p role="alert" className="mb-3 rounded-box border border-error p-3">
          {rejected.error}
        </p>
      ) : null}
      {order.recalls.length > 0 ? (
        <div className="mb-3">
          <Alert kind="warning" title="A recall keeps this order from shipping">
            <ul>
              {order.recalls.map((message) => (
                <li key={message}>{message}</li>
              ))}
            </ul>
            {can('orders.medicines') ? (
              <Link to={paths.admin.orderLots(id)} className="text-link">
                Check the packs and lots
              </Link>
            ) : null}
          </Alert>
        </div>
      ) : null}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="grid gap-4">
          <ItemsCard order={order} />
          <div className="grid gap-4 md:grid-cols-2">
            <CustomerCard order={order} />
            <OrderCard order={order} />
          </div>
          <ShippingCard order={order} />
        </div>
        <div className="grid gap-4">
          <StatusHistory order={order} />
          <PrescriptionCard order={order} />
          <RefundsCard refunds={order.refunds} />
          <NotesCard order={order} />
          {can('prescriptions.review') ? (
            <AdminCard title="Messages">
              <p className="mb-3 text-muted">Questions and answers between the customer and a pharmacist.</p>
              <LinkButton to={paths.admin.thread(id)}>Messages with the customer</LinkButton>
            </AdminCard>
          ) : null}
        </div>
      </div>
      <ConfirmStatusChange change={change} />
      <RefundDialog order={order} open={isRefunding} onClose={() => setRefunding(false)} />
    </AdminPage>
  )
}

const refundable = ({ leftToRefund }: AdminOrderDetails): number => Number(leftToRefund)
