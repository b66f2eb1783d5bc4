import type { DeskOrderDetails } from '#domain/orders/admin-orders.ts'
import { OrderStatusBadge } from '../../../components/orders/OrderStatusBadge.tsx'
import { DeskCard, Moment } from './AdminCard.tsx'

/** Every status that an order has had: when, and by whom it was set. */
export const StatusHistory = ({ order: { createdAt, events } }: { order: DeskOrderDetails }) => (
  <DeskCard title="Status timeline">
    <ol className="grid gap-2 border-s-2 border-line ps-3">
      <li>
        <b>Placed</b>
        <span className="block text-muted">
          <Moment at={createdAt} />, as processing
        </span>
      </li>
      {events.map(({ status, at, by }, index) => (
        <li key={`${at} ${index}`} aria-current={index === events.length - 1 ? 'step' : undefined}>
          <OrderStatusBadge status={status} />
          <span className="block text-muted">
            <Moment at={at} />
            {by ? `, by ${by}` : ''}
          </span>
        </li>
      ))}
    </ol>
  </DeskCard>
)
