import { getOrderBadge, buildTimeline, type Step } from '#domain/orders/order-status.ts'
import { CopyButton } from '../../components/CopyButton.tsx'
import { CircleCheck } from '../../ui/icons.tsx'
import { statusIcons } from '../../components/orders/OrderStatusBadge.tsx'
import { formatDay, type OrderView } from '../../components/orders/order-labels.ts'

type OrderTimelineProps = {
  order: OrderView
  events: readonly { status: OrderView['status']; at: string }[]
}

/** The timeline of an order: the steps with their dates, and the upcoming ones. */
export const OrderTimeline = ({ order, events }: OrderTimelineProps) => (
  <ol className="mt-4">
    {buildTimeline(order, events).map((step) => (
      <TimelineStep key={step.status} step={step} order={order} />
    ))}
  </ol>
)

const styles = {
  done: 'border-primary bg-primary text-primary-content',
  current: 'border-primary bg-base-100 text-primary',
  upcoming: 'border-line bg-base-100 text-muted',
  ended: 'border-error bg-base-100 text-error',
} as const satisfies Record<Step['state'] | 'ended', string>

function TimelineStep({ step, order }: { step: Step; order: OrderView }) {
  const { status, label, state, at } = step
  // Both are final.
  const last = { delivered: 'done', cancelled: 'ended' } as const
  const style =
    state === 'current' && (status === 'delivered' || status === 'cancelled') ? last[status] : state
  const StepIcon = status === 'placed' ? CircleCheck : statusIcons[getOrderBadge(status).icon]
  return (
    <li className="group flex gap-4" aria-current={state === 'current' ? 'step' : undefined}>
      <div className="flex flex-col items-center">
        <span className={`grid size-9 flex-none place-items-center rounded-full border-2 ${styles[style]}`}>
          <StepIcon className="size-4.5" />
        </span>
        <span
          className={`min-h-4 w-0.5 flex-1 group-last:hidden ${state === 'done' ? 'bg-primary' : 'bg-line'}`}
        />
      </div>
      <div className="pt-1.5 pb-5 group-last:pb-0">
        <p className={state === 'upcoming' ? 'text-muted' : 'font-semibold'}>{label}</p>
        {at ? (
          <p className="text-sm text-muted">
            <time dateTime={at}>{formatDay(at)}</time>
          </p>
        ) : null}
        {status === 'shipped' && state !== 'upcoming' ? <Tracking order={order} /> : null}
        {status === 'delivered' && state === 'upcoming' && order.estimatedDelivery ? (
          <p className="text-sm text-muted">
            Expected by <time dateTime={order.estimatedDelivery}>{formatDay(order.estimatedDelivery)}</time>
          </p>
        ) : null}
      </div>
    </li>
  )
}

function Tracking({ order: { trackingNumber, carrier } }: { order: OrderView }) {
  if (trackingNumber === null && carrier === null) return null
  return (
    <p className="text-sm wrap-anywhere">
      {carrier}
      {trackingNumber ? (
        <>
          {carrier ? ', tracking number ' : 'Tracking number '}
          <span className="font-mono font-semibold">{trackingNumber}</span>
          <CopyButton label="tracking number" text={trackingNumber} />
        </>
      ) : null}
    </p>
  )
}
