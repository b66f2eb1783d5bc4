import type { AdminOrderDetails } from '#domain/orders/admin-orders.ts'
import { OrderStatusBadge } from '../../../components/orders/OrderStatusBadge.tsx'
import { AdminCard, DateTime } from './AdminCard.tsx'

/** Every status of an order: when it was set, and by whom. */
export const StatusHistory = ({ order: { createdAt, events } }: { order: AdminOrderDetails }) => (
  <AdminCard title="Status timeline">
    <ol className="grid gap-2 border-s-2 border-line ps-3">
      <li>
        <b>Placed</b>
        <span className="block text-muted">
          <DateTime at={createdAt} />, set to processing
        </span>
      </li>
      {events.map(({ status, at, by }, index) => (
        <li key={`${at} ${index}`} aria-current={index === events.length - 1 ? 'step' : undefined}>
          <OrderStatusBadge status={status} />
          <span className="block text-muted">
            <DateTime at={at} />
            {by ? `, by ${by}` : ''}
          </span>
        </li>
      ))}
    </ol>
  </AdminCard>
)
