import { adminPaths } from '#domain/admin-paths.ts'
import { OrderStatusBadge } from '../../../../components/orders/OrderStatusBadge.tsx'
import { orderRef } from '../../../../components/orders/order-labels.ts'
import { Link } from '../../../../render/Link.tsx'
import { LinkButton } from '../../../../ui/Button.tsx'
import { money } from '../../frame/money.ts'
import { EmptyCard } from './Card.tsx'
import { Day, Table } from '../../frame/Table.tsx'
import type { TabDataOf } from './tab-data.ts'

export function OrdersTab({
  id,
  data: { orders, isPastFirstPage: isLater, next },
}: {
  id: string
  data: TabDataOf<'orders'>
}) {
  if (orders.length === 0) return <EmptyCard>No orders yet</EmptyCard>
  const tabPath = adminPaths.user(id, { tab: 'orders' })
  return (
    <>
      <Table label="Orders" headers={['Order', 'Placed', 'Status', 'Items', 'Total']}>
        {orders.map((order) => (
          <tr key={order.id}>
            <td>
              <Link to={adminPaths.order(order.id)} className="text-link font-mono">
                {orderRef(order.id)}
              </Link>
            </td>
            <td className="whitespace-nowrap">
              <Day iso={order.createdAt} />
            </td>
            <td>
              <OrderStatusBadge status={order.status} />
            </td>
            <td className="tabular-nums">{order.count}</td>
            <td className="tabular-nums">{money(order.total)}</td>
          </tr>
        ))}
      </Table>
      {isLater || next ? (
        <nav aria-label="Pages" className="mt-2 flex gap-2">
          {isLater ? <LinkButton to={tabPath}>Newest orders</LinkButton> : null}
          {next ? <LinkButton to={`${tabPath}&after=${next}`}>Older orders</LinkButton> : null}
        </nav>
      ) : null}
    </>
  )
}
