import { dollars } from '#domain/money.ts'
import type { PaymentState } from '#domain/orders/payment-hold.ts'
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
  /** The name of the person, when it is not the customer's. */
  isFor: string | null
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

/** The state of the payment, with decimal amounts. */
export type PaymentView = { state: PaymentState; authorized: string; captured: string }

type PaymentProps = { order: OrderView; payment: PaymentView }

const Amount = ({ of }: { of: string }) => <b className="font-semibold tabular-nums">{dollars(of)}</b>

const pendingText = 'If your bank still shows a pending amount, it will disappear within a few days.'

/** What was charged, or what happens to the card next. */
function PaymentText({ order, payment: { state, authorized, captured } }: PaymentProps): ReactNode {
  const placed = <time dateTime={order.createdAt}>{formatDay(order.createdAt)}</time>
  const isAuthorized = (
    <>
      <Amount of={authorized} /> authorized on {placed}.
    </>
  )
  switch (state) {
    case 'charged':
      return captured === authorized ? (
        <>
          <Amount of={captured} /> paid by card on {placed}
        </>
      ) : (
        <>
          <Amount of={captured} /> charged to your card, of {dollars(authorized)} authorized on {placed}.
        </>
      )
    case 'authorized':
      return (
        <>
          {isAuthorized} We’ll charge your card once a pharmacist has checked your prescription, and only for
          what they approve.
        </>
      )
    case 'capturing':
      return order.status === 'cancelled' ? (
        'Your order was cancelled while we were charging your card. If the charge went through, we’ll refund it.'
      ) : (
        <>{isAuthorized} We’re charging your card now.</>
      )
    case 'refused':
      return (
        <>
          {isAuthorized} We couldn’t charge your card yet. Nothing ships until we have. We’re looking into it,
          and you don’t need to do anything.
        </>
      )
    case 'voiding':
    case 'voided':
      return `Your card was not charged. ${pendingText}`
    case 'lapsed':
      return `Your card authorization expired before we could charge it. Your card was not charged. ${pendingText}`
  }
}

/** The payment and its refunds. */
export const PaymentSection = ({
  order,
  payment,
  refunds,
}: PaymentProps & { refunds: readonly RefundView[] }) => (
  <Section id="payment" title="Payment">
    <p className="mt-2">
      <PaymentText order={order} payment={payment} />
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
export function PrescriptionSection({
  prescription,
  isCancelled,
}: {
  prescription: OrderPrescription | null
  isCancelled: boolean
}) {
  if (!prescription) {
    return (
      <Section id="prescription" title="Prescription" className="print:hidden">
        <p className="mt-2 text-muted">The prescription was deleted.</p>
      </Section>
    )
  }
  const { doctorName, uploadedAt, status, isFor } = prescription
  const { label, tone } = statusMessages[status]
  return (
    <Section id="prescription" title="Prescription" className="print:hidden">
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="wrap-anywhere">{doctorName ?? `Prescription from ${formatDay(uploadedAt)}`}</span>
        <Badge tone={tone}>{label}</Badge>
      </p>
      {isFor ? <p className="mt-2 font-medium wrap-anywhere">For {isFor}</p> : null}
      {status === 'under_review' && !isCancelled ? (
        <p className="mt-2 text-sm text-muted">
          A pharmacist reads it and checks each medicine before your order ships.
        </p>
      ) : null}
      <p className="mt-2">
        <Link to={paths.prescriptions} className="text-link">
          My Prescriptions
        </Link>
      </p>
    </Section>
  )
}
