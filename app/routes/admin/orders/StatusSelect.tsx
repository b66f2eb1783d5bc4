import { orderBadges, orderStatuses, type OrderStatus } from '#domain/orders/order-status.ts'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import type { StatusOrder } from './use-status-change.ts'

type StatusSelectProps = {
  order: StatusOrder
  onSet: (order: StatusOrder, status: OrderStatus) => Promise<void>
}

/** Sets the status of one order. A cancelled order that was refunded stays cancelled. */
export function StatusSelect({ order, onSet }: StatusSelectProps) {
  const hydrated = useHydrated()
  return (
    <div className="w-32">
      <select
        aria-label={`Status of order ${orderRef(order.id)}`}
        className="select"
        value={order.status}
        disabled={!hydrated || order.isCancelledBeforeShipment}
        title={
          order.isCancelledBeforeShipment
            ? 'This order was cancelled and refunded. It can’t be reopened.'
            : undefined
        }
        onChange={(event) => {
          const status = orderStatuses.find((option) => option === event.currentTarget.value)
          if (status && status !== order.status) void onSet(order, status)
        }}
      >
        {orderStatuses.map((status) => (
          <option key={status} value={status}>
            {orderBadges[status].label}
          </option>
        ))}
      </select>
    </div>
  )
}
