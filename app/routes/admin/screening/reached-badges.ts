import type { Reached } from '#server/recalls/read-reached.ts'
import type { BadgeTone } from '../../../ui/Badge.tsx'

/** How far the email about a recall is. */
export const reachedBadges = {
  waiting: { label: 'Waiting to be sent', tone: 'neutral' },
  sent: { label: 'Sent', tone: 'success' },
  failed: { label: 'Failed: call the customer', tone: 'error' },
  none: { label: 'No email address', tone: 'warning' },
} as const satisfies Record<Reached, { label: string; tone: BadgeTone }>
