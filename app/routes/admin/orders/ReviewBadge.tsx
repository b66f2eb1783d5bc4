import type { DeskOrder } from '#domain/orders/admin-orders.ts'
import { statusWords } from '#domain/prescriptions/prescriptions.ts'
import { Badge } from '../../../ui/Badge.tsx'

/** Where the review of an order's prescription stands: without an approved one it is not shipped. */
export function ReviewBadge({ review }: { review: DeskOrder['prescription'] }) {
  if (review === null) return <span className="text-muted">Not needed</span>
  if (review === 'gone') return <Badge tone="error">Missing</Badge>
  const { label, tone } = statusWords[review]
  return <Badge tone={tone}>{label}</Badge>
}
