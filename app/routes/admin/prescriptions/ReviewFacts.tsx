import type { Question, Review, ReviewOrder } from '#domain/prescriptions/prescription-review.ts'
import { genderLabels } from '#domain/accounts/profile-fields.ts'
import { paths } from '#domain/paths.ts'
import type { ReactNode } from 'react'
import { OrderStatusBadge } from '../../../components/orders/OrderStatusBadge.tsx'
import { formatDay, orderRef } from '../../../components/orders/order-labels.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Link } from '../../../render/Link.tsx'

/** The facts for the decision, beside the file. */
export function ReviewFacts({ review }: { review: Review }) {
  const { patient, orders, questions } = review
  const { gender, dateOfBirth, age, weight } = patient
  return (
    <div className="grid gap-4">
      <Facts title="Patient">
        <Fact name="Born">{dateOfBirth ? `${formatDay(dateOfBirth)} (${age} years)` : null}</Fact>
        <Fact name="Gender">
          {gender && Object.hasOwn(genderLabels, gender)
            ? genderLabels[gender as keyof typeof genderLabels]
            : null}
        </Fact>
        <Fact name="Weight">{weight === null ? null : `${weight} lb`}</Fact>
        <Fact name="Allergies">{patient.allergies}</Fact>
        <Fact name="Current medications">{patient.currentMedications}</Fact>
      </Facts>
      <Facts title="Prescription">
        <Fact name="Doctor">{review.doctorName}</Fact>
        <Fact name="Dated">{review.prescriptionDate && formatDay(review.prescriptionDate)}</Fact>
        <Fact name="Expires">{review.expiryDate && formatDay(review.expiryDate)}</Fact>
        <Fact name="Uploaded">{formatDay(review.uploadedAt)}</Fact>
        <Fact name="Notes">{review.notes}</Fact>
        {review.decidedAt ? (
          <Fact name="Decided">
            {`${formatDay(review.decidedAt)}${review.decidedBy ? ` by ${review.decidedBy}` : ''}`}
          </Fact>
        ) : null}
        {review.statusReason ? <Fact name="Reason">{review.statusReason}</Fact> : null}
      </Facts>
      <section aria-labelledby="review-orders">
        <h3 id="review-orders" className="mb-1 font-semibold">
          Orders that use this prescription
        </h3>
        {orders.length === 0 ? <p className="text-muted">None yet.</p> : null}
        <ul className="grid gap-2">
          {orders.map((order) => (
            <OrderFacts key={order.id} order={order} />
          ))}
        </ul>
      </section>
      {questions.length > 0 ? (
        <section aria-labelledby="review-questions">
          <h3 id="review-questions" className="mb-1 font-semibold">
            Questions for the customer
          </h3>
          <ul className="grid gap-2">
            {questions.map((question) => (
              <QuestionFacts key={question.id} question={question} />
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  )
}

const Facts = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <h3 className="mb-1 font-semibold">{title}</h3>
    <dl className="grid grid-cols-[7rem_1fr] gap-x-3 gap-y-1">{children}</dl>
  </section>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd className="wrap-anywhere whitespace-pre-line">
      {children ?? <span className="text-muted">Not specified</span>}
    </dd>
  </>
)

const OrderFacts = ({ order: { id, status, createdAt, lines } }: { order: ReviewOrder }) => (
  <li className="card p-3">
    <p className="flex flex-wrap items-center gap-2">
      <Link to={paths.admin.order(id)} className="text-link font-mono">
        {orderRef(id)}
      </Link>
      <OrderStatusBadge status={status} />
      <span className="ms-auto text-muted">{formatDay(createdAt)}</span>
    </p>
    <ul className="mt-2 grid gap-1">
      {lines.map(({ id, quantity, product, variant }) => (
        <li key={id} className="flex items-baseline gap-2">
          <span className="tabular-nums">{quantity} ×</span>
          <span className="min-w-0 flex-1 wrap-anywhere">
            <b>{product.name}</b>
            {variant.brandName ? ` (${variant.brandName})` : ''} {variant.strength} {variant.strengthUnit}
            {variant.dosageForm ? ` ${variant.dosageForm}` : ''}, {variant.packageSize} {variant.packageUnit}
          </span>
          {product.category === 'Rx' ? <Badge tone="accent">Rx</Badge> : null}
        </li>
      ))}
    </ul>
  </li>
)

const QuestionFacts = ({ question: { question, askedAt, answer, answeredAt } }: { question: Question }) => (
  <li className="card p-3">
    <p className="text-muted">Asked {formatDay(askedAt)}</p>
    <p className="wrap-anywhere whitespace-pre-line">{question}</p>
    {answer === null || answeredAt === null ? (
      <p className="mt-2 text-muted">Not answered yet.</p>
    ) : (
      <>
        <p className="mt-2 text-muted">Answered {formatDay(answeredAt)}</p>
        <p className="wrap-anywhere whitespace-pre-line">{answer}</p>
      </>
    )}
  </li>
)
