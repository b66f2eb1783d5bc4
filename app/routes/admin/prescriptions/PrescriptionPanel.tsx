import { adminPaths } from '#domain/admin-paths.ts'
import {
  authenticationLabels,
  isTransferred,
  type CaseItem,
  type CasePrescription,
} from '#domain/dispensing/case-prescription.ts'
import type { ReviewCase } from '#domain/dispensing/review-case.ts'
import { formatQuantity } from '#domain/dispensing/quantity.ts'
import type { ReactNode } from 'react'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { PrescriptionStatusBadge } from '../../../components/PrescriptionStatusBadge.tsx'
import { Link } from '../../../render/Link.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { formatUtc } from '../frame/format-date-time.ts'
import type { Fields } from './case-fields.ts'
import { Duplicates } from './Duplicates.tsx'
import { Fact, Facts } from './Facts.tsx'
import { MedicineName } from './MedicineField.tsx'

type PrescriptionPanelProps = {
  prescription: CasePrescription
  /** By field, the possible duplicates for which a transcription was refused. */
  refusedDuplicates: Fields
  /** What is stored, beside the form; null when the form began with it. */
  stored: ReactNode
  /** The transcription form; null while what is stored is shown. */
  form: ReactNode
  /** Buttons beside what is stored. */
  actions: ReactNode
  /** The form that closes an item; null when the user cannot. */
  renderCloseForm: ((item: CaseItem) => ReactNode) | null
}

/** What is known about a prescription: the customer's claim, duplicates, and the transcription. */
export function PrescriptionPanel(props: PrescriptionPanelProps) {
  const { prescription, refusedDuplicates, stored, form, actions, renderCloseForm } = props
  const { rxNumber, status, statusReason, decidedBy, decidedAt, uploadedAt, claim } = prescription
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-semibold">
          {rxNumber}
          {prescription.dependantName ? ` for ${prescription.dependantName}` : ''}
        </h3>
        <PrescriptionStatusBadge status={status} />
        <span className="ms-auto text-muted">Uploaded {formatDay(uploadedAt)}</span>
      </div>
      {decidedBy && decidedAt && status !== 'under_review' ? (
        <p className="text-muted">
          Decided by {decidedBy}, {formatDay(decidedAt)}
        </p>
      ) : null}
      {statusReason ? <p className="wrap-anywhere">Reason: {statusReason}</p> : null}
      <Duplicates duplicates={prescription.possibleDuplicates} refused={refusedDuplicates} />
      <Disclosure summary="What the customer entered (not verified)">
        <dl className="grid grid-cols-[7rem_1fr] gap-x-3 gap-y-1 pb-2">
          <Fact name="Doctor">{claim.doctorName}</Fact>
          <Fact name="Dated">{claim.prescriptionDate && formatDay(claim.prescriptionDate)}</Fact>
          <Fact name="Expires">{claim.expiryDate && formatDay(claim.expiryDate)}</Fact>
          <Fact name="Notes">{claim.notes}</Fact>
        </dl>
      </Disclosure>
      {stored}
      {form ?? (
        <>
          <TranscriptionFacts prescription={prescription} />
          {prescription.items.map((item) => (
            <ItemFacts key={item.id} item={item} renderCloseForm={renderCloseForm} />
          ))}
          <div className="flex flex-wrap gap-2 print:hidden">{actions}</div>
        </>
      )}
    </div>
  )
}

export function TranscriptionFacts({ prescription: { transcription } }: { prescription: CasePrescription }) {
  if (!transcription) return <p className="text-muted">Not transcribed yet.</p>
  const { prescriberId, authentication, duplicate, isPatientName } = transcription
  return (
    <Facts title="What the file says">
      <Fact name="Patient">
        {transcription.patientName}
        {isPatientName ? '' : ' (confirmed by the pharmacist)'}
      </Fact>
      <Fact name="Prescriber">{transcription.prescriberName}</Fact>
      <Fact name={'npi' in prescriberId ? 'NPI' : 'License'}>
        {'npi' in prescriberId ? prescriberId.npi : `${prescriberId.license}, ${prescriberId.jurisdiction}`}
      </Fact>
      {transcription.prescriberPhone ? <Fact name="Phone">{transcription.prescriberPhone}</Fact> : null}
      <Fact name="Written">{formatDay(transcription.writtenOn)}</Fact>
      <Fact name="Authenticated">
        {authentication ? (
          `${authenticationLabels[authentication.method]}, ${formatDay(authentication.at)} by ${authentication.by}${authentication.note ? `: ${authentication.note}` : ''}`
        ) : (
          <span className="font-medium text-error">Not yet. Required before clearing.</span>
        )}
      </Fact>
      {duplicate ? (
        <Fact name="No duplicate">
          {duplicate.note} ({duplicate.by}, {formatDay(duplicate.at)})
        </Fact>
      ) : null}
    </Facts>
  )
}

export function ItemFacts({
  item,
  renderCloseForm,
}: { item: CaseItem } & Pick<PrescriptionPanelProps, 'renderCloseForm'>) {
  const { medicine, dispenseAsWritten } = item
  return (
    <section aria-label={medicine.substances} className="card p-3">
      <MedicineName medicine={medicine} />
      <p className="wrap-anywhere">{item.directions}</p>
      <p>
        {formatQuantity(item.unitsPerFill, medicine)} for {item.daysSupply} days, {item.refillsLeft} of{' '}
        {item.refills} refills left
      </p>
      {item.supplyMismatch ? <p className="text-warning">{item.supplyMismatch}</p> : null}
      <p className="text-muted">
        Valid through {formatDay(item.validThrough)}
        {item.nextFillOn ? `, next fill from ${formatDay(item.nextFillOn)}` : ''}
        {item.transcribedBy ? `. Transcribed by ${item.transcribedBy}` : ''}
      </p>
      <p className="flex flex-wrap gap-1">
        {dispenseAsWritten ? <Badge>Dispense as written: {dispenseAsWritten}</Badge> : null}
        {item.status === 'closed' ? <Badge tone="error">Closed</Badge> : null}
        {item.isExpired ? <Badge tone="error">Expired</Badge> : null}
      </p>
      {item.closedReason ? <p className="wrap-anywhere">{item.closedReason}</p> : null}
      {item.closed ? (
        <p className="text-muted">
          Closed by {item.closed.by}, {formatUtc(item.closed.at)}
        </p>
      ) : null}
      {item.agreements.map((agreement) => (
        <p key={agreement.at} className="text-muted">
          {agreement.with} agreed to the {agreement.kind}, {formatDay(agreement.at)}
        </p>
      ))}
      <p className="flex flex-wrap gap-x-4 print:hidden">
        {isTransferred(item.closedReason) ? (
          <Link to={adminPaths.transferRecord(item.id)} className="text-link">
            Transfer record
          </Link>
        ) : null}
        {item.refillsLeft === 0 || item.isExpired ? (
          <Link to={adminPaths.refillRequest(item.id)} className="text-link">
            Request a new prescription
          </Link>
        ) : null}
      </p>
      {item.status === 'active' ? renderCloseForm?.(item) : null}
    </section>
  )
}

type OtherItemsProps = {
  items: ReviewCase['otherItems']
  /** Whether it is open initially: an item has a drafted form. */
  open: boolean
} & Pick<PrescriptionPanelProps, 'renderCloseForm'>

/** The patient's active items of prescriptions that this case doesn't use. */
export const OtherItems = ({ items, open, renderCloseForm }: OtherItemsProps) =>
  items.length === 0 ? null : (
    <Disclosure summary={`Items of other prescriptions (${items.length})`} open={open}>
      <div className="grid gap-2 pb-2">
        {items.map((item) => (
          <ItemFacts key={item.id} item={item} renderCloseForm={renderCloseForm} />
        ))}
      </div>
    </Disclosure>
  )
