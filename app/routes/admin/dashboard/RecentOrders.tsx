import type { RecentOrder } from '#domain/dashboard/dashboard.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { OrderStatusBadge } from '../../../components/orders/OrderStatusBadge.tsx'
import { formatDay, orderRef } from '../../../components/orders/order-labels.ts'
import { LinkButton } from '../../../ui/Button.tsx'
import { Link } from '../../../render/Link.tsx'
import { money } from '../frame/money.ts'
import { Panel } from './Panel.tsx'

/**
 * The newest orders. The number links to the order, "View Details" to the list of all orders
 * (specification, "Admin area").
 */
export const RecentOrders = ({ orders }: { orders: readonly RecentOrder[] }) => (
  <Panel title="Recent Orders">
    {orders.length === 0 ? <p className="py-6 text-center text-muted">No orders yet</p> : null}
    <ul>
      {orders.map(({ id, customerName, status, total, createdAt }) => (
        <li key={id} className="border-t border-line py-2 first:border-0">
          <div className="flex flex-wrap items-center justify-between gap-x-3">
            <p className="min-w-0 font-semibold wrap-anywhere">{customerName}</p>
            <p className="ms-auto flex items-center gap-3">
              <OrderStatusBadge status={status} />
              <span className="font-semibold tabular-nums">{money(total)}</span>
            </p>
          </div>
          <div className="flex items-center justify-between gap-3">
            <p className="text-muted">
              <Link to={adminPaths.order(id)} className="text-link font-mono">
                {orderRef(id)}
              </Link>
              , <span className="whitespace-nowrap">{formatDay(createdAt)}</span>
            </p>
            <LinkButton
              kind="quiet"
              className="-me-3"
              to={adminPaths.orders}
              aria-label={`View Details of ${orderRef(id)}`}
            >
              View Details
            </LinkButton>
          </div>
        </li>
      ))}
    </ul>
  </Panel>
)
