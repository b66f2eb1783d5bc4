import { adminPaths } from '#domain/admin-paths.ts'
import type { AdminOrderDetails } from '#domain/orders/admin-orders.ts'
import { Link } from '../../../render/Link.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { useCan } from '../frame/use-can.ts'

type LotProblemsProps = { orderId: string; problems: AdminOrderDetails['lotProblems'] }

/** What to know about the lots of an open order before it ships. */
export function LotProblems({ orderId, problems }: LotProblemsProps) {
  const can = useCan()
  if (problems.length === 0) return null
  return (
    <div className="mb-3">
      <Alert
        kind="warning"
        title={
          problems.some(({ isBlocking }) => isBlocking)
            ? 'A lot keeps this order from shipping'
            : 'A lot in this order expires before delivery'
        }
      >
        <ul>
          {[...new Map(problems.map((problem) => [problem.message, problem])).values()].map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
        {can('orders.medicines') ? (
          <Link to={adminPaths.orderLots(orderId)} className="text-link">
            Check the lots
          </Link>
        ) : null}
      </Alert>
    </div>
  )
}
