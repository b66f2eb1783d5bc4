import { orderBadges, orderStatuses, type OrderStatus } from '#domain/orders/order-status.ts'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { useCan } from '../frame/use-can.ts'
import { allowedStatuses } from './allowed-statuses.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import type { StatusOrder } from './use-status-change.ts'

type StatusSelectProps = {
  order: StatusOrder
  onSet: (order: StatusOrder, status: OrderStatus) => Promise<void>
}

/** Sets the status of one order. A cancelled order that was refunded stays cancelled. */
export function StatusSelect({ order, onSet }: StatusSelectProps) {
  const hydrated = useHydrated()
  const can = useCan()
  const options = allowedStatuses(can).filter((status) => status !== order.status)
  return (
    <div className="w-32">
      <select
        aria-label={`Status of order ${orderRef(order.id)}`}
        className="select"
        value={order.status}
        disabled={!hydrated || order.isCancelledBeforeShipment || options.length === 0}
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
        {[order.status, ...options]
          .toSorted((a, b) => orderStatuses.indexOf(a) - orderStatuses.indexOf(b))
          .map((status) => (
            <option key={status} value={status}>
              {orderBadges[status].label}
            </option>
          ))}
      </select>
    </div>
  )
}
