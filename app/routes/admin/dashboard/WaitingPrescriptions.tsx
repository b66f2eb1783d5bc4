import type { WaitingPrescriptions as Waiting } from '#domain/dashboard/dashboard.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { LinkButton } from '../../../ui/Button.tsx'
import { Link } from '../../../render/Link.tsx'
import { Panel } from './Panel.tsx'

const daysAgo = (count: number): string =>
  count === 0 ? 'today' : count === 1 ? 'yesterday' : `${count} days ago`

/** How many cases wait for a decision, for how long, and how many of them are orders. */
export const WaitingPrescriptions = ({
  waiting: { count, oldestDays, waitingOrders, capturesDueSoon, refusedCaptures },
}: {
  waiting: Waiting
}) => (
  <Panel title="Prescriptions to review">
    {count === 0 ? (
      <p className="py-6 text-center text-muted">No prescriptions to review.</p>
    ) : (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <b className="text-2xl tabular-nums">{count.toLocaleString('en-US')}</b>
        <p className="flex-[1_1_12rem]">
          {oldestDays === null ? null : `The oldest arrived ${daysAgo(oldestDays)}. `}
          {waitingOrders === 0
            ? 'No paid orders are waiting.'
            : waitingOrders === 1
              ? '1 paid order is waiting.'
              : `${waitingOrders.toLocaleString('en-US')} paid orders are waiting.`}
        </p>
        <LinkButton kind="primary" to={adminPaths.prescriptions}>
          Review
        </LinkButton>
      </div>
    )}
    {capturesDueSoon > 0 ? (
      <p className="mt-3">
        <b className="tabular-nums">{capturesDueSoon.toLocaleString('en-US')}</b>{' '}
        {capturesDueSoon === 1 ? 'authorized payment lapses' : 'authorized payments lapse'} soon. Lines that
        aren’t decided by then are removed.
      </p>
    ) : null}
    {refusedCaptures > 0 ? (
      <p className="mt-3 text-error">
        The payment provider refused to charge{' '}
        <b className="tabular-nums">{refusedCaptures.toLocaleString('en-US')}</b>{' '}
        {refusedCaptures === 1 ? 'order' : 'orders'}.{' '}
        <Link to={adminPaths.ordersWith({ status: 'processing' })} className="text-link">
          Orders
        </Link>
      </p>
    ) : null}
  </Panel>
)
