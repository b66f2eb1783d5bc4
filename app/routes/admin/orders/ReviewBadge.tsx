import type { AdminOrder } from '#domain/orders/admin-orders.ts'
import { statusMessages } from '#domain/prescriptions/prescriptions.ts'
import { Badge } from '../../../ui/Badge.tsx'

/**
 * The review status of an order's prescription. The order does not ship without an approved one.
 */
export function ReviewBadge({ review }: { review: AdminOrder['prescription'] }) {
  if (review === null) return <span className="text-muted">Not needed</span>
  if (review === 'missing') return <Badge tone="error">Missing</Badge>
  const { label, tone } = statusMessages[review]
  return <Badge tone={tone}>{label}</Badge>
}
