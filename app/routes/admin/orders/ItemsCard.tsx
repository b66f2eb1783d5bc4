import { adminPaths } from '#domain/admin-paths.ts'
import { strengthLabel } from '#domain/catalog/catalog.ts'
import { formLabel } from '#domain/catalog/form-label.ts'
import { parseCents } from '#domain/money.ts'
import type { AdminOrderDetails, AdminOrderLine } from '#domain/orders/admin-orders.ts'
import { hasShipped } from '#domain/orders/order-status.ts'
import { packFactsText } from '#domain/orders/packages.ts'
import { Pack } from '../../../components/VariantFacts.tsx'
import { Link } from '../../../render/Link.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { DateTime } from '../frame/DateTime.tsx'
import { money } from '../frame/money.ts'
import { useCan } from '../frame/use-can.ts'
import { AdminCard } from './AdminCard.tsx'
import { lineName } from './line-name.ts'
import { lotText } from './lot-text.ts'

type OrderProps = { order: AdminOrderDetails }

type ItemsCardProps = OrderProps & {
  /** The lines whose labels are drafts. */
  draftLabels: readonly string[]
}

export const ItemsCard = ({
  order,
  order: { id, items, refusedItems, total },
  draftLabels,
}: ItemsCardProps) => (
  <AdminCard title="Items">
    <table className="w-full">
      <thead>
        <tr className="border-b border-line text-start text-muted">
          <th scope="col" className="py-1 pe-3 text-start font-medium">
            Medicine
          </th>
          <th scope="col" className="px-3 text-end font-medium max-sm:hidden">
            Price
          </th>
          <th scope="col" className="px-1.5 text-end font-medium sm:px-3">
            Quantity
          </th>
          <th scope="col" className="ps-1.5 text-end font-medium sm:ps-3">
            Subtotal
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((line) => (
          <tr key={line.id} className="border-b border-line align-top">
            <td className="py-2 pe-3">
              <Medicine line={line} name={lineName(line, items)} />
              <PackFactsText facts={line.pack} />
              <LineLots orderId={id} line={line} />
              <LineLinks order={order} line={line} isDraft={draftLabels.includes(line.id)} />
              <span className="text-muted tabular-nums sm:hidden">{money(line.price)} each</span>
            </td>
            <td className="px-3 py-2 text-end tabular-nums max-sm:hidden">{money(line.price)}</td>
            <td className="px-1.5 py-2 text-end tabular-nums sm:px-3">
              {line.quantity}
              {line.refunded > 0 ? (
                <span className="block whitespace-nowrap text-muted">{line.refunded} refunded</span>
              ) : null}
            </td>
            <td className="py-2 ps-1.5 text-end tabular-nums sm:ps-3">
              {money((parseCents(line.price) ?? 0) * line.quantity)}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="font-semibold">
          <th scope="row" colSpan={2} className="py-2 text-start">
            Total
          </th>
          <td className="max-sm:hidden">{'\u00a0'}</td>
          <td className="text-end tabular-nums">{money(total)}</td>
        </tr>
      </tfoot>
    </table>
    {refusedItems.length === 0 ? null : (
      <>
        <h3 className="mt-3 font-semibold">Removed</h3>
        <ul>
          {refusedItems.map((line) => (
            <li key={line.id} className="border-b border-line py-2">
              <Medicine line={line} />
              <span className="text-muted">
                {line.quantity} at {money(line.price)}, <DateTime at={line.refusedAt} />
                {line.reason ? `: ${line.reason}` : ''}
              </span>
            </li>
          ))}
        </ul>
      </>
    )}
  </AdminCard>
)

/** What tells the ordered package apart from look-alikes. */
function PackFactsText({ facts }: { facts: AdminOrderLine['pack'] }) {
  const text = packFactsText(facts)
  return text === '' ? null : <span className="block text-muted wrap-anywhere">{text}</span>
}

/** The lots that were picked for a line. */
const LineLots = ({ orderId, line: { lots = [], quantity } }: { orderId: string; line: AdminOrderLine }) =>
  lots.map(({ lotId, ...lot }) => (
    <Link key={lotId} to={adminPaths.orderLots(orderId)} className="block text-sm hover:underline">
      {lotText(lot, quantity)}
    </Link>
  ))

/** What is printed for a prescription line: nothing if all of it was refunded before it shipped. */
function LineLinks({ order, line, isDraft }: OrderProps & { line: AdminOrderLine; isDraft: boolean }) {
  const can = useCan()
  const { id: orderId } = order
  const isPrinted = line.product.category === 'Rx' && (hasShipped(order) || line.refunded < line.quantity)
  if (!isPrinted || !can('orders.medicines')) return null
  const of = <span className="sr-only"> of {line.product.name}</span>
  return (
    <span className="flex flex-wrap gap-x-3 print:hidden">
      <Link to={adminPaths.label(orderId, line.id)} className="text-link">
        Label{of}
      </Link>
      {isDraft ? <Badge tone="warning">Draft</Badge> : null}
      <Link to={adminPaths.leaflet(orderId, line.id)} className="text-link">
        Leaflet{of}
      </Link>
    </span>
  )
}

type MedicineProps = {
  line: Pick<AdminOrderLine, 'product' | 'variant'>
  /** By default the product's. */
  name?: string
}

/** The medicine as it was described when it was ordered. */
export const Medicine = ({ line: { product, variant }, name = product.name }: MedicineProps) => (
  <>
    <span className="block font-semibold wrap-anywhere">
      {name}
      {variant.brandName ? ` (${variant.brandName})` : ''}{' '}
      {product.category === 'Rx' ? <Badge tone="primary">Rx</Badge> : null}
    </span>
    {product.id === '' ? null : (
      <span className="block text-muted">
        {[strengthLabel(variant), formLabel(variant)].filter(Boolean).map((fact) => `${fact}, `)}
        <Pack variant={variant} />
      </span>
    )}
  </>
)
