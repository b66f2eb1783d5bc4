import { adminPaths } from '#domain/admin-paths.ts'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { useCan } from '../frame/use-can.ts'
import { allowedStatuses } from './allowed-statuses.ts'
import { StatusForm } from './StatusForm.tsx'
import type { StatusOrder, useStatusChange } from './use-status-change.ts'

type StatusSelectProps = {
  order: StatusOrder
  change: Pick<ReturnType<typeof useStatusChange>, 'preview' | 'setOrderStatus'>
  /** In a row of its own, not in a cell. */
  isWide?: boolean
}

/** Sets the status of one order. A cancelled order that was refunded stays cancelled. */
export function StatusSelect({ order, change, isWide = false }: StatusSelectProps) {
  const options = allowedStatuses(useCan()).filter((status) => status !== order.status)
  return (
    <StatusForm
      name={`Status of order ${orderRef(order.id)}`}
      isWide={isWide}
      // The status shows beside the menu.
      placeholder="Change…"
      options={options}
      disabled={order.isCancelledBeforeShipment || options.length === 0}
      title={
        order.isCancelledBeforeShipment
          ? 'This order was cancelled and refunded. It can’t be reopened.'
          : undefined
      }
      action={adminPaths.order(order.id)}
      target={`${order.id} ${order.status}`}
      onPreview={(status) => change.preview({ ids: [order.id] }, status)}
      onApply={(status, preview) => change.setOrderStatus(order, status, preview)}
    />
  )
}
