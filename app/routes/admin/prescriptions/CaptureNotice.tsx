import { adminPaths } from '#domain/admin-paths.ts'
import type { CaseOrder } from '#domain/dispensing/review-case.ts'
import { Link } from '../../../render/Link.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { formatDueTime } from './due-time.ts'

/** What happens with the payment, and what to do when the provider refused it. */
export function CaptureNotice({
  order: { id, hold, status, total },
  isDecided,
}: {
  order: CaseOrder
  isDecided: boolean
}) {
  if (!hold || status === 'cancelled') return null
  if (hold.isRefused) {
    return (
      <Alert kind="error" title="The payment provider refused the capture. Nothing will ship.">
        <p>
          Ask the customer to order again with another card, or retry the capture from{' '}
          <Link to={adminPaths.order(id)} className="text-link">
            the order
          </Link>
          . Cancelling the order charges nothing.
        </p>
      </Alert>
    )
  }
  switch (hold.status) {
    case 'authorized':
      return (
        <p className={isDecided ? 'text-muted' : 'font-medium'}>
          ${total} is authorized, not charged.
          {hold.captureBefore ? ` Capture due ${formatDueTime(hold.captureBefore)}.` : ''}
        </p>
      )
    case 'capturing':
      return <p className="text-muted">The payment is being captured.</p>
    case 'captured':
      return <p className="text-muted">The payment is captured.</p>
    case 'voiding':
    case 'voided':
      return <p className="text-muted">The customer’s card was not charged.</p>
    case 'failed':
      return <Alert kind="error" title="The authorization ended without a charge. Nothing will ship." />
  }
}
