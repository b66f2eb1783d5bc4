import { adminPaths } from '#domain/admin-paths.ts'
import { statusMessages, type PrescriptionStatus } from '#domain/prescriptions/prescriptions.ts'
import { formatDay, orderRef } from '../../../../components/orders/order-labels.ts'
import { Link } from '../../../../render/Link.tsx'
import { Badge } from '../../../../ui/Badge.tsx'
import { CalendarX, CircleCheck, CircleX, Clock, type Icon } from '../../../../ui/icons.tsx'
import { EmptyCard } from './Card.tsx'
import { FileLink } from './FileLink.tsx'
import { Day, Table } from '../../frame/Table.tsx'
import type { TabDataOf } from './tab-data.ts'

const statusIcons: Record<PrescriptionStatus, Icon> = {
  under_review: Clock,
  approved: CircleCheck,
  rejected: CircleX,
  expired: CalendarX,
}

export function PrescriptionsTab({ data: { prescriptions } }: { data: TabDataOf<'prescriptions'> }) {
  if (prescriptions.length === 0) return <EmptyCard>No prescriptions uploaded yet</EmptyCard>
  return (
    <Table
      label="Prescriptions"
      headers={['Prescription', 'Status', 'Uploaded', 'Prescription date', 'Expiry date', 'Order', 'File']}
    >
      {prescriptions.map((prescription) => {
        const { label, tone } = statusMessages[prescription.status]
        const StatusIcon = statusIcons[prescription.status]
        const name = prescription.doctorName ?? `Prescription from ${formatDay(prescription.uploadedAt)}`
        return (
          <tr key={prescription.id}>
            <td className="min-w-44">
              <b>{name}</b>
              {prescription.notes ? (
                <p className="whitespace-pre-line text-muted">{prescription.notes}</p>
              ) : null}
            </td>
            <td>
              <Badge tone={tone} icon={<StatusIcon />}>
                {label}
              </Badge>
              {prescription.statusReason ? (
                <p className="mt-1 min-w-44">{prescription.statusReason}</p>
              ) : null}
            </td>
            <td className="whitespace-nowrap">
              <Day iso={prescription.uploadedAt} />
            </td>
            <td className="whitespace-nowrap">
              <Day iso={prescription.prescriptionDate} />
            </td>
            <td className="whitespace-nowrap">
              <Day iso={prescription.expiryDate} />
            </td>
            <td>
              {prescription.orderId ? (
                <Link to={adminPaths.order(prescription.orderId)} className="text-link font-mono">
                  {orderRef(prescription.orderId)}
                </Link>
              ) : (
                '–'
              )}
            </td>
            <td>
              <FileLink href={prescription.fileUrl} name="View file" subject={name} />
            </td>
          </tr>
        )
      })}
    </Table>
  )
}
