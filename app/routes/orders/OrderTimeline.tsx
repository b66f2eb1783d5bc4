import { getOrderBadge, buildTimeline, type Step } from '#domain/orders/order-status.ts'
import { CopyButton } from '../../components/CopyButton.tsx'
import { CircleCheck, ExternalLink } from '../../ui/icons.tsx'
import { statusIcons } from '../../components/orders/OrderStatusBadge.tsx'
import { formatDay, type OrderView } from '../../components/orders/order-labels.ts'

type OrderTimelineProps = {
  order: OrderView
  events: readonly { status: OrderView['status']; at: string }[]
  /** The carrier's page about the package. The release before sends none. */
  trackingUrl?: string | null
}

/** The timeline of an order: the steps with their dates, and the upcoming ones. */
export const OrderTimeline = ({ order, events, trackingUrl = null }: OrderTimelineProps) => (
  <ol className="mt-4">
    {buildTimeline(order, events).map((step) => (
      <TimelineStep key={step.status} step={step} order={order} trackingUrl={trackingUrl} />
    ))}
  </ol>
)

const styles = {
  done: 'border-primary bg-primary text-primary-content',
  current: 'border-primary bg-base-100 text-primary',
  upcoming: 'border-line bg-base-100 text-muted',
  ended: 'border-error bg-base-100 text-error',
} as const satisfies Record<Step['state'] | 'ended', string>

type TimelineStepProps = { step: Step; order: OrderView; trackingUrl: string | null }

function TimelineStep({ step, order, trackingUrl }: TimelineStepProps) {
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
        {status === 'shipped' && state !== 'upcoming' ? <Tracking {...order} url={trackingUrl} /> : null}
        {status === 'delivered' && state === 'upcoming' && order.estimatedDelivery ? (
          <p className="text-sm text-muted">
            Expected by <time dateTime={order.estimatedDelivery}>{formatDay(order.estimatedDelivery)}</time>
          </p>
        ) : null}
      </div>
    </li>
  )
}

type TrackingProps = Pick<OrderView, 'trackingNumber' | 'carrier'> & { url: string | null }

function Tracking({ trackingNumber, carrier, url }: TrackingProps) {
  if (trackingNumber === null && carrier === null) return null
  return (
    <>
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
      {url ? (
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          className="text-link inline-flex min-h-9 items-center gap-1 text-sm"
          aria-label={`Track your package at ${carrier} (opens in a new tab)`}
        >
          Track your package
          <ExternalLink className="size-3.5" />
        </a>
      ) : null}
    </>
  )
}
