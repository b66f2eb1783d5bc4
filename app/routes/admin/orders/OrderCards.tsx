import type { AdminOrderDetails, AdminRefund } from '#domain/orders/admin-orders.ts'
import { paymentLabels, type PaymentState } from '#domain/orders/payment-hold.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { paths } from '#domain/paths.ts'
import { statusMessages } from '#domain/prescriptions/prescriptions.ts'
import { formatDay } from '../../../components/orders/order-labels.ts'
import { toCallFailure, trpc } from '../../../http/trpc.ts'
import { Badge, type BadgeTone } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { Link } from '../../../render/Link.tsx'
import { money } from '../frame/money.ts'
import { useCan } from '../frame/use-can.ts'
import { DateTime } from '../frame/DateTime.tsx'
import { AdminCard, CustomerClaims, Facts } from './AdminCard.tsx'

type OrderProps = { order: AdminOrderDetails }

export function CustomerCard({ order: { userId, customerName, customerEmail } }: OrderProps) {
  const can = useCan()
  const name = customerName || 'No name given'
  return (
    <AdminCard title="Customer">
      <Facts
        facts={[
          [
            'Name',
            can('customers.read') || can('health.read') ? (
              <Link key="name" to={adminPaths.user(userId)} className="text-link">
                {name}
              </Link>
            ) : (
              name
            ),
          ],
          [
            'Email',
            <a key="email" href={`mailto:${customerEmail}`} className="text-link">
              {customerEmail}
            </a>,
          ],
        ]}
      />
    </AdminCard>
  )
}

export const OrderCard = ({ order }: OrderProps) => (
  <AdminCard title="Order">
    <Facts
      facts={[
        [
          'Order number',
          <span key="id" className="font-mono">
            {order.id}
          </span>,
        ],
        ['Placed', <DateTime key="at" at={order.createdAt} />],
        [
          'Payment ID',
          <span key="payment" className="font-mono">
            {order.stripePaymentId}
          </span>,
        ],
        ['Total', <b key="total">{money(order.total)}</b>],
        ['Payment', <PaymentBadge key="state" state={order.payment.state} />],
        ['Authorized', money(order.payment.authorized)],
        ['Captured', money(order.payment.captured)],
        ['Refunded', money(order.refundTotal)],
        ...(order.refundTotal === '0.00' ? [] : [['Refundable', money(order.leftToRefund)] as const]),
        ...(order.payment.captureBefore === null
          ? []
          : [['Capture due', <DateTime key="due" at={order.payment.captureBefore} />] as const]),
      ]}
    />
    {order.payment.state === 'refused' ? <RetryCapture order={order} /> : null}
  </AdminCard>
)

const paymentTones = {
  authorized: 'neutral',
  capturing: 'neutral',
  refused: 'error',
  charged: 'success',
  voiding: 'neutral',
  voided: 'neutral',
  lapsed: 'warning',
} as const satisfies Record<PaymentState, BadgeTone>

const PaymentBadge = ({ state }: { state: PaymentState }) => (
  <Badge tone={paymentTones[state]}>{paymentLabels[state]}</Badge>
)

/** The provider refused to charge the card: staff try again, or cancel the order. */
function RetryCapture({ order: { id } }: OrderProps) {
  const can = useCan()
  const utils = trpc.useUtils()
  const { mutateAsync, isPending } = trpc.orders.retryCapture.useMutation()
  const retry = async (): Promise<void> => {
    try {
      await mutateAsync({ id })
      showToast({ kind: 'success', title: 'Capture started' })
    } catch (failure) {
      showToast({ kind: 'error', title: 'Capture failed', text: toCallFailure(failure).message })
    }
    await utils.orders.invalidate()
  }
  return (
    <div role="alert" className="mt-3 rounded-box border border-error p-3">
      <p>The payment provider refused to charge the card. Nothing can ship.</p>
      {can('orders.ship') ? (
        <Button
          type="button"
          className="mt-2"
          aria-disabled={isPending || undefined}
          onClick={() => !isPending && void retry()}
        >
          Retry
        </Button>
      ) : null}
    </div>
  )
}

export function PrescriptionCard({ order: { hasRx, prescription } }: OrderProps) {
  if (!prescription) {
    return (
      <AdminCard title="Prescription">
        <p className="text-muted">
          {hasRx ? 'The prescription was deleted.' : 'This order doesn’t need a prescription.'}
        </p>
      </AdminCard>
    )
  }
  const { id, status, details } = prescription
  const { label, tone } = statusMessages[status]
  return (
    <AdminCard title="Prescription">
      <p className="mb-2">
        <Badge tone={tone}>{label}</Badge>
      </p>
      {details ? (
        <>
          <Facts
            facts={[
              ['Prescriber', details.prescriberName ?? 'Not transcribed yet'],
              ['Uploaded', <DateTime key="at" at={details.uploadedAt} />],
              ...(details.statusReason ? [['Reason', details.statusReason] as const] : []),
            ]}
          />
          <CustomerClaims
            facts={[
              ['Doctor', details.claim.doctorName ?? '–'],
              ['Expires', details.claim.expiryDate ? formatDay(details.claim.expiryDate) : '–'],
            ]}
          />
          <p className="mt-2">
            <a href={paths.api.prescriptionFile(id)} target="_blank" rel="noreferrer" className="text-link">
              Open file
            </a>
          </p>
        </>
      ) : null}
    </AdminCard>
  )
}

export function RefundsCard({ refunds }: { refunds: readonly AdminRefund[] }) {
  if (refunds.length === 0) return null
  return (
    <AdminCard title="Refunds">
      <ul className="grid gap-2">
        {refunds.map(({ id, amount, createdAt, doneAt, failedAt }) => (
          <li key={id}>
            <b className="tabular-nums">{money(amount)}</b>{' '}
            {doneAt ? (
              <>
                refunded on <DateTime at={doneAt} />
              </>
            ) : failedAt ? (
              <span className="text-error">
                declined by the payment provider on <DateTime at={failedAt} />: refund it manually
              </span>
            ) : (
              <>
                requested on <DateTime at={createdAt} />, processing
              </>
            )}
          </li>
        ))}
      </ul>
    </AdminCard>
  )
}
