import { orderBadges, orderStatuses, type OrderStatus } from '#domain/orders/order-status.ts'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import type { SetOrder } from './use-status-change.ts'

type StatusSelectProps = {
  order: SetOrder
  onSet: (order: SetOrder, status: OrderStatus) => Promise<void>
}

/** Sets the status of one order. One that was refunded stays cancelled. */
export function StatusSelect({ order, onSet }: StatusSelectProps) {
  const hydrated = useHydrated()
  return (
    <div className="w-32">
      <select
        aria-label={`Status of order ${orderRef(order.id)}`}
        className="select"
        value={order.status}
        disabled={!hydrated || order.isCalledOff}
        title={order.isCalledOff ? 'It was cancelled and refunded, and stays cancelled.' : undefined}
        onChange={(event) => {
          const status = orderStatuses.find((one) => one === event.currentTarget.value)
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
