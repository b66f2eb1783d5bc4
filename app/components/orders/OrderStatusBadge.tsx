import { getOrderBadge, type OrderBadge } from '#domain/orders/order-status.ts'
import { Ban, CircleCheck, ClipboardCheck, Clock, Package, Truck, type Icon } from '../../ui/icons.tsx'

export const statusIcons: Record<OrderBadge['icon'], Icon> = {
  clock: Clock,
  clipboard: ClipboardCheck,
  truck: Truck,
  check: CircleCheck,
  ban: Ban,
  package: Package,
}

/** An order's status as a color, an icon and a label together. */
export function OrderStatusBadge({ status }: { status: string }) {
  const { label, color, icon } = getOrderBadge(status)
  const StatusIcon = statusIcons[icon]
  return (
    <span className="order-status" data-color={color}>
      <StatusIcon className="size-4" />
      {label}
    </span>
  )
}
