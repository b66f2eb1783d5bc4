import { statusMessages, type PrescriptionStatus } from '#domain/prescriptions/prescriptions.ts'
import { Badge } from '../ui/Badge.tsx'
import { CalendarX, CircleCheck, CircleX, Clock, type Icon } from '../ui/icons.tsx'

const statusIcons: Record<PrescriptionStatus, Icon> = {
  under_review: Clock,
  approved: CircleCheck,
  rejected: CircleX,
  expired: CalendarX,
}

/** The review status of a prescription, by color, icon and word. */
export function PrescriptionStatusBadge({ status }: { status: PrescriptionStatus }) {
  const { label, tone } = statusMessages[status]
  const StatusIcon = statusIcons[status]
  return (
    <Badge tone={tone} icon={<StatusIcon />}>
      {label}
    </Badge>
  )
}
