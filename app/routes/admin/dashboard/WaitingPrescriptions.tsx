import type { WaitingPrescriptions as Waiting } from '#domain/dashboard/dashboard.ts'
import { LinkButton } from '../../../ui/Button.tsx'
import { Panel } from './Panel.tsx'

const days = (count: number): string =>
  count === 0 ? 'today' : count === 1 ? 'a day ago' : `${count} days ago`

/** How many prescriptions wait for a decision, how long, and what waits with them. */
export const WaitingPrescriptions = ({
  waiting: { count, oldestDays, heldOrders },
}: {
  waiting: Waiting
}) => (
  <Panel title="Prescriptions waiting">
    {count === 0 ? (
      <p className="py-6 text-center text-muted">None waits for a review.</p>
    ) : (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <b className="text-2xl tabular-nums">{count.toLocaleString('en-US')}</b>
        <p className="flex-[1_1_12rem]">
          {oldestDays === null ? null : `The oldest was uploaded ${days(oldestDays)}. `}
          {heldOrders === 0
            ? 'No paid order waits for one.'
            : heldOrders === 1
              ? 'One paid order waits for its prescription.'
              : `${heldOrders.toLocaleString('en-US')} paid orders wait for their prescriptions.`}
        </p>
        <LinkButton kind="primary" to="/admin/prescriptions">
          Review
        </LinkButton>
      </div>
    )}
  </Panel>
)
