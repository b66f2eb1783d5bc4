import { getAdminOrder } from '#server/orders/get-admin-order.ts'
import labelStyles from '../../../label.css?url'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import type { Route } from './+types/shipping-label'
import { Barcode } from './Barcode.tsx'
import { PrintPage } from './PrintPage.tsx'

/** Sets the paper size of a label printer; the other pages print on the default paper. */
export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: labelStyles }]

export const loader = adminLoader('orders.read', (ctx, { params }: Route.LoaderArgs) =>
  getAdminOrder(ctx, params.id),
)

/** The shipping label, 4 by 6 inches. Strangers read it, so it names no medicine. */
export default function ShippingLabel({ loaderData: order }: Route.ComponentProps) {
  const { carrier, trackingNumber } = order
  return (
    <PrintPage title={`Shipping label for order ${orderRef(order.id)}`} orderId={order.id}>
      <article className="ship-label">
        <h1 className="sr-only">Shipping label for order {orderRef(order.id)}</h1>
        <div className="flex justify-between border-b-2 border-current pb-2">
          <p>
            From
            <b className="block">Meridian</b>
          </p>
          <p className="text-end">
            Order
            <b className="block font-mono">{orderRef(order.id)}</b>
          </p>
        </div>
        <p className="pt-6">Ship to</p>
        <address className="flex-1 text-lg font-semibold wrap-anywhere not-italic">
          {[order.customerName, ...order.shippingLines].filter(Boolean).map((line, index) => (
            <span key={`${index} ${line}`} className="block">
              {line}
            </span>
          ))}
        </address>
        <div className="border-t-2 border-current pt-3">
          {carrier ? <p className="font-semibold">{carrier}</p> : null}
          {trackingNumber ? (
            <>
              <Barcode text={trackingNumber} />
              <p className="text-center font-mono wrap-anywhere">{trackingNumber}</p>
            </>
          ) : (
            <p>No tracking number yet</p>
          )}
        </div>
      </article>
    </PrintPage>
  )
}
