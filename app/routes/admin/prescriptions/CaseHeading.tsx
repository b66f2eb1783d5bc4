import { adminPaths } from '#domain/admin-paths.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { OrderStatusBadge } from '../../../components/orders/OrderStatusBadge.tsx'
import { formatDay, orderRef } from '../../../components/orders/order-labels.ts'
import { Link } from '../../../render/Link.tsx'
import { Badge } from '../../../ui/Badge.tsx'

type CaseHeadingProps = {
  reviewCase: ReviewCase
  /** Names of the other pharmacists who have it open. */
  viewers: readonly string[]
}

/** Whose case it is, its order, and who else is viewing it. */
export function CaseHeading({ reviewCase: { patient, patients, order }, viewers }: CaseHeadingProps) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 id="patient" className="text-lg wrap-anywhere">
        {patients.map(({ name }) => name).join(', ')}
      </h2>
      {patients.some(({ isDependant }) => isDependant) ? (
        <span className="text-muted">Account of {patient.name}</span>
      ) : null}
      {order ? (
        <>
          <Link to={adminPaths.order(order.id)} className="text-link font-mono">
            {orderRef(order.id)}
          </Link>
          <OrderStatusBadge status={order.status} />
          <span className="text-muted">{formatDay(order.createdAt)}</span>
        </>
      ) : (
        <span className="text-muted">No order is waiting for it</span>
      )}
      {viewers.length > 0 ? <Badge tone="warning">Also viewing: {viewers.join(', ')}</Badge> : null}
    </div>
  )
}
