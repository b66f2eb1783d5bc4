import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import { formatDay, orderRef } from '../../../components/orders/order-labels.ts'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import type { Route } from './+types/packing-slip'
import { Medicine } from './OrderCards.tsx'
import { PrintPage } from './PrintPage.tsx'

export const loader = adminLoader('orders.read', (ctx, { params }: Route.LoaderArgs) =>
  getAdminOrder(ctx, params.id),
)

/** The packing slip, for the packer and the customer: what the package contains, without prices. */
export default function PackingSlip({ loaderData: order }: Route.ComponentProps) {
  const units = order.items.reduce((sum, { quantity, refunded }) => sum + quantity - refunded, 0)
  return (
    <PrintPage title={`Packing slip for order ${orderRef(order.id)}`} orderId={order.id}>
      <article className="card max-w-3xl p-6 print:max-w-none print:border-0 print:p-0">
        <div className="flex flex-wrap items-baseline justify-between gap-4 border-b-2 border-line pb-3">
          <p className="text-lg font-semibold">Meridian</p>
          <h1>Packing slip</h1>
        </div>
        <div className="grid gap-4 py-4 sm:grid-cols-2 print:grid-cols-2">
          <div>
            <h2 className="mb-1 font-semibold">Ship to</h2>
            <address className="not-italic">
              {[order.customerName, ...order.shippingLines].filter(Boolean).map((line, index) => (
                <span key={`${index} ${line}`} className="block">
                  {line}
                </span>
              ))}
            </address>
          </div>
          <div>
            <h2 className="mb-1 font-semibold">Order</h2>
            <p className="font-mono wrap-anywhere">{order.id}</p>
            <p>Placed on {formatDay(order.createdAt)}</p>
            {order.carrier || order.trackingNumber ? (
              <p>
                {order.carrier} <span className="font-mono">{order.trackingNumber}</span>
              </p>
            ) : null}
          </div>
        </div>
        <table className="w-full">
          <thead>
            <tr className="border-b-2 border-line">
              <th scope="col" className="py-1 text-start">
                Medicine
              </th>
              <th scope="col" className="px-3 text-end">
                Quantity
              </th>
              <th scope="col" className="ps-3 text-end">
                Packed
              </th>
            </tr>
          </thead>
          <tbody>
            {order.items
              .filter(({ quantity, refunded }) => quantity > refunded)
              .map((line) => (
                <tr key={line.id} className="break-inside-avoid border-b border-line align-top">
                  <td className="py-2">
                    <Medicine line={line} />
                  </td>
                  <td className="px-3 py-2 text-end text-lg font-semibold tabular-nums">
                    {line.quantity - line.refunded}
                  </td>
                  <td className="py-2 ps-3 text-end">
                    <span className="text-2xl leading-none">☐</span>
                  </td>
                </tr>
              ))}
          </tbody>
          <tfoot>
            <tr className="font-semibold">
              <th scope="row" className="pt-3 text-start">
                Units in this package
              </th>
              <td className="px-3 pt-3 text-end text-lg tabular-nums">{units}</td>
              <td>{'\u00a0'}</td>
            </tr>
          </tfoot>
        </table>
        <p className="mt-16 flex gap-8">
          <span className="flex-1 border-t border-line pt-1 text-muted">Packed by</span>
          <span className="flex-1 border-t border-line pt-1 text-muted">Checked by</span>
        </p>
      </article>
    </PrintPage>
  )
}
