import type { LotStatus } from '#domain/inventory/lots.ts'
import { Badge, type BadgeTone } from '../../../ui/Badge.tsx'

const statusBadges = {
  available: { label: 'Available', tone: 'success' },
  quarantined: { label: 'In quarantine', tone: 'error' },
  expired: { label: 'Expired', tone: 'error' },
} as const satisfies Record<LotStatus, { label: string; tone: BadgeTone }>

export const LotBadge = ({ status }: { status: LotStatus }) => (
  <Badge tone={statusBadges[status].tone}>{statusBadges[status].label}</Badge>
)

/** Lots that expire sooner are marked. */
const soonDays = 90

export const ExpiryBadge = ({ daysLeft }: { daysLeft: number }) =>
  daysLeft > soonDays ? null : (
    <Badge tone={daysLeft < 0 ? 'error' : 'warning'}>
      {daysLeft < 0
        ? 'Expired'
        : daysLeft === 0
          ? 'Last day'
          : daysLeft === 1
            ? '1 day left'
            : `${daysLeft} days left`}
    </Badge>
  )
