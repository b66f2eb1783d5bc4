import { dollars } from '#domain/money.ts'
import { paths } from '#domain/paths.ts'
import { statusMessages, type PrescriptionStatus } from '#domain/prescriptions/prescriptions.ts'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/Badge.tsx'
import { Link } from '../../render/Link.tsx'
import { formatDay, type OrderView } from '../../components/orders/order-labels.ts'

/** Money that goes back: begun, and given, or given up by the provider. */
export type RefundView = {
  amount: string
  createdAt: string
  doneAt: string | null
  failedAt: string | null
}

export type OrderPrescription = {
  doctorName: string | null
  uploadedAt: string
  status: PrescriptionStatus
}

type SectionProps = { id: string; title: string; children: ReactNode; className?: string }

/** A part of an order's page under its own heading. */
export const Section = ({ id, title, children, className = '' }: SectionProps) => (
  <section aria-labelledby={id} className={`card p-5 print:border-0 print:p-0 ${className}`}>
    <h2 id={id} className="text-lg">
      {title}
    </h2>
    {children}
  </section>
)

export const AddressSection = ({ order: { customerName, shippingAddress } }: { order: OrderView }) => (
  <Section id="address" title="Shipping address">
    <p className="mt-2 wrap-anywhere">
      {customerName ? <span className="block">{customerName}</span> : null}
      {shippingAddress}
    </p>
  </Section>
)

/** What was paid and by what, and what went back of it. */
export const PaymentSection = ({ order, refunds }: { order: OrderView; refunds: readonly RefundView[] }) => (
  <Section id="payment" title="Payment">
    <p className="mt-2">
      <b className="font-semibold tabular-nums">{dollars(order.total)}</b> paid by card on{' '}
      <time dateTime={order.createdAt}>{formatDay(order.createdAt)}</time>
    </p>
    {refunds.map((refund) => (
      <p key={refund.createdAt} className="mt-2">
        <RefundText refund={refund} />
      </p>
    ))}
    <dl className="mt-3 space-y-3 text-sm">
      <div>
        <dt className="text-muted">Payment ID</dt>
        <dd className="font-mono tracking-tight wrap-anywhere">{order.stripePaymentId}</dd>
      </div>
      <div>
        <dt className="text-muted">Order number</dt>
        <dd className="font-mono tracking-tight wrap-anywhere">{order.id}</dd>
      </div>
    </dl>
  </Section>
)

function RefundText({ refund: { amount, createdAt, doneAt, failedAt } }: { refund: RefundView }) {
  const sum = <b className="font-semibold tabular-nums">{dollars(amount)}</b>
  if (doneAt) {
    return (
      <>
        {sum} refunded on <time dateTime={doneAt}>{formatDay(doneAt)}</time>. Your bank may take 5 to 10
        business days to show it.
      </>
    )
  }
  if (failedAt) {
    return (
      <>
        The refund of {sum} could not be given by card. Please{' '}
        <Link to={paths.contact} className="text-link">
          contact support
        </Link>
        .
      </>
    )
  }
  return (
    <>
      Refund of {sum} begun on <time dateTime={createdAt}>{formatDay(createdAt)}</time>; it is on its way to
      your card.
    </>
  )
}

/** Where the review of an order's prescription stands, which decides whether it may be shipped. */
export function PrescriptionSection({ prescription }: { prescription: OrderPrescription | null }) {
  if (!prescription) {
    return (
      <Section id="prescription" title="Prescription" className="print:hidden">
        <p className="mt-2 text-muted">The prescription is no longer there.</p>
      </Section>
    )
  }
  const { doctorName, uploadedAt, status } = prescription
  const { label, tone } = statusMessages[status]
  return (
    <Section id="prescription" title="Prescription" className="print:hidden">
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="wrap-anywhere">{doctorName ?? `Prescription of ${formatDay(uploadedAt)}`}</span>
        <Badge tone={tone}>{label}</Badge>
      </p>
      {status === 'under_review' ? (
        <p className="mt-2 text-sm text-muted">A pharmacy reviews it before anything is shipped.</p>
      ) : null}
      <p className="mt-2">
        <Link to={paths.prescriptions} className="text-link">
          My Prescriptions
        </Link>
      </p>
    </Section>
  )
}
