import { dollars } from '#domain/money.ts'
import { paths } from '#domain/paths.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { Link } from '../../render/Link.tsx'
import { OrderLines, type LinePeople } from './OrderLines.tsx'
import { OrderStatusBadge } from '../../components/orders/OrderStatusBadge.tsx'
import {
  countItems,
  formatDay,
  orderRef,
  type OrderLineView,
  type OrderView,
} from '../../components/orders/order-labels.ts'

const PlacedDate = ({ order: { createdAt } }: { order: OrderView }) => (
  <time dateTime={createdAt}>{formatDay(createdAt)}</time>
)

/** An order without any item left was cancelled: it shows what was ordered. */
const shownItems = ({ items, refusedItems }: OrderView): readonly OrderLineView[] =>
  items.length > 0 ? items : refusedItems

type OrderCardProps = {
  order: OrderView
  people: LinePeople
  refundedUnits: Readonly<Record<string, number>>
}

/** A complete order in the history (specification, section 2). */
export function OrderCard({ order, people, refundedUnits }: OrderCardProps) {
  const { id, status, total, shippingAddress, stripePaymentId } = order
  return (
    <article aria-labelledby={`order-${id}`} className="card">
      <div className="grid grid-cols-[1fr_auto] items-baseline gap-x-6 border-b border-line px-5 py-4">
        <div className="col-span-2 flex flex-wrap items-center gap-x-3 gap-y-1 sm:col-span-1">
          <h2 id={`order-${id}`} className="text-lg">
            Order {orderRef(id)}
          </h2>
          <OrderStatusBadge status={status} />
        </div>
        <p className="text-muted sm:row-start-2">
          <PlacedDate order={order} />
        </p>
        <p className="text-lg font-semibold tabular-nums sm:col-start-2 sm:row-start-1">{dollars(total)}</p>
      </div>
      <div className="px-5 py-1">
        <OrderLines lines={shownItems(order)} people={people} refunded={refundedUnits} />
      </div>
      <div className="flex flex-wrap items-end justify-between gap-4 border-t border-line px-5 py-4">
        <dl className="grid min-w-0 flex-[1_1_20rem] gap-x-6 gap-y-3 sm:grid-cols-2">
          <div>
            <dt className="text-sm text-muted">Shipping address</dt>
            <dd className="wrap-anywhere">{shippingAddress}</dd>
          </div>
          <div>
            <dt className="text-sm text-muted">Payment ID</dt>
            <dd className="font-mono text-sm leading-6 tracking-tight wrap-anywhere">{stripePaymentId}</dd>
          </div>
        </dl>
        <LinkButton
          to={paths.order(id)}
          aria-label={`View details of order ${orderRef(id)}`}
          className="max-sm:w-full"
        >
          View details
        </LinkButton>
      </div>
    </article>
  )
}

const listNames = new Intl.ListFormat('en-US')

/** An order in the list, with a link to its page. */
export function OrderRow({ order, people }: Pick<OrderCardProps, 'order' | 'people'>) {
  const { id, status, total } = order
  const items = shownItems(order)
  const [first] = items
  const names = [...new Set(items.map((item) => people[item.id] ?? 'you'))].toSorted(
    (a, b) => Number(b === 'you') - Number(a === 'you'),
  )
  const moreCount = items.length - 1
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-[1_1_14rem]">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link to={paths.order(id)} className="font-semibold hover:underline">
            Order {orderRef(id)}
          </Link>
          <OrderStatusBadge status={status} />
        </p>
        <p className="mt-1 truncate">
          {first?.product.name}
          {moreCount > 0 ? ` and ${moreCount} more` : null}
        </p>
        <p className="text-sm text-muted">
          <PlacedDate order={order} /> · {countItems(items)}
        </p>
        {names.some((name) => name !== 'you') ? (
          <p className="text-sm font-medium wrap-anywhere">For {listNames.format(names)}</p>
        ) : null}
      </div>
      <div className="flex flex-1 flex-wrap items-center justify-between gap-x-6 gap-y-2 sm:flex-none">
        <p className="font-semibold tabular-nums">{dollars(total)}</p>
        <LinkButton to={paths.order(id)} aria-label={`View details of order ${orderRef(id)}`}>
          View details
        </LinkButton>
      </div>
    </li>
  )
}
