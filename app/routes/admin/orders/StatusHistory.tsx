import type { AdminOrderDetails } from '#domain/orders/admin-orders.ts'
import { OrderStatusBadge } from '../../../components/orders/OrderStatusBadge.tsx'
import { DateTime } from '../frame/DateTime.tsx'
import { AdminCard } from './AdminCard.tsx'

/** Every status of an order: when it was set, and by whom. */
export function StatusHistory({ order: { createdAt, events } }: { order: AdminOrderDetails }) {
  const current = events.findLastIndex(({ reverted }) => reverted === null)
  return (
    <AdminCard title="Status timeline">
      <ol className="grid gap-2 border-s-2 border-line ps-3">
        <li>
          <b>Placed</b>
          <span className="block text-muted">
            <DateTime at={createdAt} />, set to processing
          </span>
        </li>
        {events.map(({ status, at, by, reverted }, index) => (
          <li key={`${at} ${index}`} aria-current={index === current ? 'step' : undefined}>
            <OrderStatusBadge status={status} />
            <span className="block text-muted">
              <DateTime at={at} />
              {by ? `, by ${by}` : ''}
            </span>
            {reverted ? (
              <span className="block text-muted">
                Undone <DateTime at={reverted.at} />
                {reverted.by ? `, by ${reverted.by}` : ''}
              </span>
            ) : null}
          </li>
        ))}
      </ol>
    </AdminCard>
  )
}
