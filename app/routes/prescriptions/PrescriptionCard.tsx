import { formatDay } from '#domain/format-day.ts'
import { orderRef } from '#domain/orders/order-ref.ts'
import { paths } from '#domain/paths.ts'
import { statusMessages, type PrescriptionStatus } from '#domain/prescriptions/prescriptions.ts'
import type { Thread } from '#domain/messages/messages.ts'
import type { ReactNode } from 'react'
import { Link } from '../../render/Link.tsx'
import { ExternalLink, FileText } from '../../ui/icons.tsx'
import { Day, Fact } from './PrescriptionFacts.tsx'
import { MessageThread } from '../../components/messages/MessageThread.tsx'
import type { FormFailure } from '../../http/form-failure.ts'
import { PrescriptionStatusBadge } from '../../components/PrescriptionStatusBadge.tsx'

/** A prescription as the page shows it; times are ISO 8601. */
export type PrescriptionView = {
  id: string
  /** The id of its newest order. */
  orderId: string | null
  doctorName: string | null
  prescriptionDate: string | null
  expiryDate: string | null
  uploadedAt: string
  notes: string | null
  fileUrl: string
  status: PrescriptionStatus
  statusReason: string | null
  /** Whether an order uses it, so that it can’t be deleted. */
  isUsed: boolean
  /** The dependant it is for; null for the customer. */
  dependantName: string | null
  /** When it was uploaded, if another one of its name was on that day. */
  uploadTime?: string | null
  /** The messages with the pharmacy about it. */
  thread: Thread
}

/** A prescription's name: its doctor, otherwise its upload date, and what tells it from others. */
export const prescriptionName = ({
  doctorName,
  uploadedAt,
  uploadTime,
}: Pick<PrescriptionView, 'doctorName' | 'uploadedAt' | 'uploadTime'>): string =>
  (doctorName ?? `Prescription from ${formatDay(uploadedAt)}`) +
  (uploadTime ? `, uploaded ${uploadTime}` : '')

/** One of the customer's prescriptions: its review, its details and its actions. */
export function PrescriptionCard({
  prescription,
  messageKey,
  failure,
  actions,
}: {
  prescription: PrescriptionView
  /** Names the next message to the pharmacy. */
  messageKey: string
  failure: FormFailure | null
  actions: ReactNode
}) {
  const { id, orderId, status, statusReason, prescriptionDate, expiryDate, uploadedAt, notes, fileUrl } =
    prescription
  const { sentence } = statusMessages[status]
  const name = prescriptionName(prescription)
  return (
    <article aria-labelledby={`name-${id}`} className="card flex h-full flex-col p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h2 id={`name-${id}`} className="min-w-0 flex-[1_1_12rem] text-lg wrap-anywhere">
          {name}
        </h2>
        <PrescriptionStatusBadge status={status} />
      </div>
      {prescription.dependantName ? (
        <p className="mt-2 font-medium">For {prescription.dependantName}</p>
      ) : null}
      <p className="mt-2 text-muted">{sentence}</p>
      {statusReason ? (
        <p className="mt-3 rounded-field border-s-4 border-line bg-base-200 px-3 py-2 wrap-anywhere whitespace-pre-line">
          <b className="font-semibold">{status === 'rejected' ? 'Reason:' : 'From the pharmacy:'}</b>{' '}
          {statusReason}
        </p>
      ) : null}
      <MessageThread
        subjectId={id}
        thread={prescription.thread}
        requestKey={messageKey}
        action={paths.prescriptions}
        failure={failure}
      />
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <Fact name="Uploaded">
          <Day iso={uploadedAt} />
        </Fact>
        {prescriptionDate ? (
          <Fact name="Prescription date">
            <Day iso={prescriptionDate} />
          </Fact>
        ) : null}
        {expiryDate ? (
          <Fact name="Expiry date">
            <Day iso={expiryDate} />
          </Fact>
        ) : null}
        {orderId ? (
          <Fact name="Latest order">
            <Link to={paths.order(orderId)} className="text-link">
              Order {orderRef(orderId)}
            </Link>
          </Fact>
        ) : null}
        {notes ? (
          <Fact name="Notes">
            <span className="whitespace-pre-line">{notes}</span>
          </Fact>
        ) : null}
      </dl>
      <div className="mt-auto flex flex-wrap gap-3 pt-5">
        <a
          href={fileUrl}
          target="_blank"
          rel="noreferrer"
          className="btn btn-outline border-base-content/55"
          aria-label={`View file: ${name} (opens in a new tab)`}
        >
          <FileText />
          View file
          <ExternalLink className="size-4 text-muted" />
        </a>
        {actions}
      </div>
    </article>
  )
}
