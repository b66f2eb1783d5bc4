import { dollars } from '#domain/money.ts'
import { paths } from '#domain/paths.ts'
import { statusMessages, type PrescriptionStatus } from '#domain/prescriptions/prescriptions.ts'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/Badge.tsx'
import { Link } from '../../render/Link.tsx'
import { formatDay, type OrderView } from '../../components/orders/order-labels.ts'

/** A refund: pending, done, or failed for good. */
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

/** A section of the order page with a heading. */
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

/** The payment and its refunds. */
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
        We couldn’t refund {sum} to your card.{' '}
        <Link to={paths.contact} className="text-link">
          Contact support
        </Link>
        .
      </>
    )
  }
  return (
    <>
      Refund of {sum} started on <time dateTime={createdAt}>{formatDay(createdAt)}</time>. We’ll email you
      when it’s done.
    </>
  )
}

/** The prescription of an order and its review status, which decides whether the order ships. */
export function PrescriptionSection({ prescription }: { prescription: OrderPrescription | null }) {
  if (!prescription) {
    return (
      <Section id="prescription" title="Prescription" className="print:hidden">
        <p className="mt-2 text-muted">The prescription was deleted.</p>
      </Section>
    )
  }
  const { doctorName, uploadedAt, status } = prescription
  const { label, tone } = statusMessages[status]
  return (
    <Section id="prescription" title="Prescription" className="print:hidden">
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="wrap-anywhere">{doctorName ?? `Prescription from ${formatDay(uploadedAt)}`}</span>
        <Badge tone={tone}>{label}</Badge>
      </p>
      {status === 'under_review' ? (
        <p className="mt-2 text-sm text-muted">A pharmacy must approve it before your order ships.</p>
      ) : null}
      <p className="mt-2">
        <Link to={paths.prescriptions} className="text-link">
          My Prescriptions
        </Link>
      </p>
    </Section>
  )
}
