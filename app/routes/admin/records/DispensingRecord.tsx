import { counselingAnswers, guideAnswers } from '#domain/dispensing/label-answers.ts'
import { noteAuthor } from '#domain/dispensing/note-author.ts'
import { orderBadges } from '#domain/orders/order-status.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { statusMessages } from '#domain/prescriptions/prescriptions.ts'
import type { RecordView } from '#domain/records/dispensing-record.ts'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { ExternalLink } from '../../../ui/icons.tsx'
import { DateTime } from '../frame/DateTime.tsx'
import { AdminCard, CustomerClaims, Facts } from '../orders/AdminCard.tsx'
import { Medicine } from '../orders/ItemsCard.tsx'

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
          ['Customer', record.customerName || missing],
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
          <li key={line.id}>
            <p className="flex items-baseline gap-2">
              <span className="tabular-nums">{line.quantity} ×</span>
              <span className="min-w-0 flex-1">
                <Medicine line={line} />
              </span>
            </p>
            {record.dispensed
              .filter(({ lineId }) => lineId === line.id)
              .map((dispensed) => (
                <DispensedFacts key={dispensed.lineId} line={dispensed} />
              ))}
            {record.labels
              .filter(({ lineId }) => lineId === line.id)
              .map((label) => (
                <LabelFacts key={label.lineId} label={label} />
              ))}
          </li>
        ))}
      </ul>
    </AdminCard>
    {record.prescriptions.length === 0 ? (
      <AdminCard title="Prescription">
        <p className="text-muted">The order had no prescription.</p>
      </AdminCard>
    ) : (
      record.prescriptions.map((prescription) => (
        <PrescriptionCard key={prescription.id} orderId={record.orderId} prescription={prescription} />
      ))
    )}
    {record.messages.length > 0 ? <MessagesCard messages={record.messages} /> : null}
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

type Prescription = RecordView['prescriptions'][number]

const dayOrMissing = (day: string | null) => (day === null ? missing : formatDay(day))

const PrescriptionCard = ({ orderId, prescription }: { orderId: string; prescription: Prescription }) => {
  const { decidedAt, transcription, rxNumber } = prescription
  return (
    <AdminCard title={rxNumber ?? 'Prescription'}>
      <Facts
        facts={[
          ['Decision', statusMessages[prescription.status].label],
          ['Decided', decidedAt === null ? missing : <DateTime key="decided" at={decidedAt} />],
          ['Decided by', prescription.decidedBy ?? missing],
          ['Reason', prescription.statusReason ?? missing],
          ['Uploaded', <DateTime key="uploaded" at={prescription.uploadedAt} />],
          ...(transcription ? transcriptionFacts(transcription) : []),
          ...prescription.questions.map(
            ({ question, answer }) => [`“${question}”`, answer ?? 'Not answered'] as const,
          ),
        ]}
      />
      <CustomerClaims
        facts={[
          ['Doctor', prescription.doctorName ?? missing],
          ['Dated', dayOrMissing(prescription.prescriptionDate)],
          ['Expires', dayOrMissing(prescription.expiryDate)],
          ['Notes', prescription.notes ?? missing],
        ]}
      />
      {prescription.fileType === null ? (
        <p className="mt-3 text-muted">The file could not be kept.</p>
      ) : (
        <a
          href={adminPaths.recordFile(orderId, prescription.id)}
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

/** What a pharmacist transcribed of the file. */
function transcriptionFacts(transcription: NonNullable<Prescription['transcription']>) {
  const { patientName, prescriberName, prescriberId, prescriberPhone, writtenOn, authentication } =
    transcription
  const id =
    'npi' in prescriberId
      ? `NPI ${prescriberId.npi}`
      : `license ${prescriberId.license}, ${prescriberId.jurisdiction}`
  return [
    ['Patient on the file', patientName],
    ['Prescriber', `${prescriberName}, ${id}${prescriberPhone === null ? '' : `, ${prescriberPhone}`}`],
    ['Written', formatDay(writtenOn)],
    [
      'Authenticated',
      authentication
        ? `${authenticationLabels[authentication.method]}${authentication.note ? `: ${authentication.note}` : ''} (${authentication.by}, ${formatDay(authentication.at)})`
        : missing,
    ],
    ...(transcription.duplicate
      ? [['Possible duplicate', `${transcription.duplicate.note} (${transcription.duplicate.by})`] as const]
      : []),
  ] as const
}

const authenticationLabels = {
  original: 'Original received',
  prescriber: 'Sent by the prescriber',
  contacted: 'Confirmed by the prescriber',
  transferred: 'Transferred in',
} as const

/** Who decided about a line, on which item, and how much left the pharmacy. */
const DispensedFacts = ({ line }: { line: RecordView['dispensed'][number] }) => {
  const { item, fill, decision, decidedBy, decidedAt, checkedBy } = line
  return (
    <Facts
      facts={[
        ...(item
          ? ([
              ['Item', `${item.medicine.substances} ${item.medicine.strength}`],
              ['Directions', item.directions],
              ['Per fill', `${item.unitsPerFill} ${item.medicine.unit}, ${item.daysSupply} days`],
              ['Refills authorized', String(item.refills)],
              ...item.agreements.map(
                (one) => [`Agreed: ${one.kind}`, `${one.with}, ${formatDay(one.at)} (${one.by})`] as const,
              ),
            ] as const)
          : []),
        ...(fill
          ? ([
              ['Dispensed', `${fill.units} units for ${fill.daysSupply} days`],
              ['On', fill.dispensedAt === null ? missing : formatDay(fill.dispensedAt)],
            ] as const)
          : []),
        [
          line.status === 'refused' ? 'Refused by' : 'Cleared by',
          decidedBy === null
            ? missing
            : `${decidedBy}${decidedAt === null ? '' : `, ${formatDay(decidedAt)}`}`,
        ],
        ...(checkedBy === null ? [] : ([['Checked by', checkedBy]] as const)),
        ...(decision.reason === null ? [] : ([['Reason', decision.reason]] as const)),
        ...decision.notes.map(
          (note) => [`Note (${note.kind})`, [note.text, noteAuthor(note)].filter(Boolean).join(' ')] as const,
        ),
      ]}
    />
  )
}

const MessagesCard = ({ messages }: { messages: RecordView['messages'] }) => (
  <AdminCard title="Messages">
    <ol className="grid gap-2">
      {messages.map(({ from, text, at }, index) => (
        <li key={`${at} ${index}`}>
          <p className="text-muted">
            {from === 'customer' ? 'The customer' : 'The pharmacy'}, <DateTime at={at} />
          </p>
          <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
        </li>
      ))}
    </ol>
  </AdminCard>
)

/** What pharmacists recorded for the label. */
const LabelFacts = ({ label }: { label: RecordView['labels'][number] }) => (
  <Facts
    facts={[
      ['Lot', label.lot ?? missing],
      ['Medication Guide', label.guide ? guideAnswers[label.guide] : missing],
      ['REMS', label.remsDecision ? `${label.remsDecision.text} (${label.remsDecision.by})` : missing],
      [
        'Counseling',
        label.counseling ? `${counselingAnswers[label.counseling.answer]} (${label.counseling.by})` : missing,
      ],
    ]}
  />
)
