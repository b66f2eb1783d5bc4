import type { Review } from '#domain/prescriptions/prescription-review.ts'

export type ReviewAction = 'approve' | 'reject' | 'ask' | 'expire' | 'reopen'

/**
 * The actions for a prescription in its current status, with their keys. One past its expiry date
 * cannot be approved.
 */
export function availableActions({
  status,
  decidedStatus,
}: Pick<Review, 'status' | 'decidedStatus'>): { action: ReviewAction; label: string; key: string | null }[] {
  const isWaiting = decidedStatus === 'under_review'
  const isExpired = status === 'expired'
  return [
    ...(isExpired || decidedStatus === 'approved'
      ? []
      : [{ action: 'approve', label: 'Approve', key: 'a' } as const]),
    ...(isExpired && isWaiting ? [{ action: 'expire', label: 'Mark as expired', key: null } as const] : []),
    ...(decidedStatus === 'rejected' ? [] : [{ action: 'reject', label: 'Reject', key: 'r' } as const]),
    ...(isWaiting
      ? [{ action: 'ask', label: 'Ask the customer', key: 'q' } as const]
      : [{ action: 'reopen', label: 'Review again', key: null } as const]),
  ]
}
