import type { Clearance } from '#domain/dispensing/dispensing.ts'
import type { AdminOrder } from '#domain/orders/admin-orders.ts'
import { statusMessages } from '#domain/prescriptions/prescriptions.ts'
import { Badge, type BadgeTone } from '../../../ui/Badge.tsx'

/** The text below the badge says for whom it waits: in the badge, it would widen the column. */
const reviewBadges: Record<Clearance, { tone: BadgeTone; label: string; below?: string }> = {
  waiting: { tone: 'warning', label: 'Waiting', below: 'for a pharmacist' },
  unchecked: { tone: 'warning', label: 'Waiting', below: 'for a second pharmacist' },
  asked: { tone: 'neutral', label: 'Waiting', below: 'for the customer' },
  cleared: { tone: 'success', label: 'Cleared' },
  refused: { tone: 'error', label: 'Refused' },
}

/**
 * The review status of an order's prescription lines, or of its prescription where no line is
 * reviewed. An approved prescription does not clear a line.
 */
export function ReviewBadge({ order }: { order: Pick<AdminOrder, 'prescription' | 'review'> }) {
  const { prescription, review } = order
  if (review) {
    const { tone, label, below } = reviewBadges[review]
    return (
      <>
        <Badge tone={tone}>{label}</Badge>
        {below ? <span className="block text-xs text-muted"> {below}</span> : null}
      </>
    )
  }
  if (prescription === null) return <span className="text-muted">Not needed</span>
  if (prescription === 'missing') return <Badge tone="error">Missing</Badge>
  const { label, tone } = statusMessages[prescription]
  return <Badge tone={tone}>{label}</Badge>
}
