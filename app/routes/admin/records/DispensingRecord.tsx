import { orderBadges } from '#domain/orders/order-status.ts'
import { paths } from '#domain/paths.ts'
import { statusMessages } from '#domain/prescriptions/prescriptions.ts'
import type { RecordView } from '#domain/records/dispensing-record.ts'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { ExternalLink } from '../../../ui/icons.tsx'
import { AdminCard, DateTime, Facts } from '../orders/AdminCard.tsx'
import { Medicine } from '../orders/OrderCards.tsx'

const missing = <span className="text-muted">Not specified</span>

/** Everything that a record contains. */
export const DispensingRecord = ({ record }: { record: RecordView }) => (
  <div className="grid items-start gap-4 lg:grid-cols-2">
    <AdminCard title="Order">
      <Facts
        facts={[
          [
            'Order number',
            <span key="order" className="font-mono">
              {record.orderId}
            </span>,
          ],
          ['Placed', <DateTime key="placed" at={record.placedAt} />],
          ['Patient', record.customerName || missing],
          ['Shipped to', record.shippingAddress],
          ['Carrier', record.carrier ?? missing],
          ['Tracking number', record.trackingNumber ?? missing],
          ['Kept until', formatDay(record.retainedUntil)],
        ]}
      />
    </AdminCard>
    <AdminCard title="Medicines">
      <ul className="grid gap-2">
        {record.lines.map((line) => (
          <li key={line.id} className="flex items-baseline gap-2">
            <span className="tabular-nums">{line.quantity} ×</span>
            <span className="min-w-0 flex-1">
              <Medicine line={line} />
            </span>
          </li>
        ))}
      </ul>
    </AdminCard>
    <PrescriptionCard record={record} />
    <AdminCard title="Status history">
      <ul className="grid gap-1">
        {record.events.map(({ status, at, by }) => (
          <li key={`${status} ${at}`}>
            <b>{orderBadges[status].label}</b> <DateTime at={at} />
            {by === null ? null : `, by ${by}`}
          </li>
        ))}
      </ul>
    </AdminCard>
  </div>
)

function PrescriptionCard({ record: { orderId, prescription, fileType } }: { record: RecordView }) {
  if (!prescription) {
    return (
      <AdminCard title="Prescription">
        <p className="text-muted">The order had no prescription.</p>
      </AdminCard>
    )
  }
  const { prescriptionDate, expiryDate, decidedAt, decidedBy } = prescription
  return (
    <AdminCard title="Prescription">
      <Facts
        facts={[
          ['Decision', statusMessages[prescription.status].label],
          ['Decided', decidedAt === null ? missing : <DateTime key="decided" at={decidedAt} />],
          ['Decided by', decidedBy ?? missing],
          ['Reason', prescription.statusReason ?? missing],
          ['Doctor', prescription.doctorName ?? missing],
          ['Dated', prescriptionDate === null ? missing : formatDay(prescriptionDate)],
          ['Expires', expiryDate === null ? missing : formatDay(expiryDate)],
          ['Uploaded', <DateTime key="uploaded" at={prescription.uploadedAt} />],
          ['Notes', prescription.notes ?? missing],
          ...prescription.questions.map(
            ({ question, answer }) => [`“${question}”`, answer ?? 'Not answered'] as const,
          ),
        ]}
      />
      {fileType === null ? (
        <p className="mt-3 text-muted">The file could not be kept.</p>
      ) : (
        <a
          href={paths.admin.recordFile(orderId)}
          target="_blank"
          rel="noreferrer"
          className="btn btn-outline mt-3"
        >
          Open the file
          <ExternalLink className="size-4" />
        </a>
      )}
    </AdminCard>
  )
}
