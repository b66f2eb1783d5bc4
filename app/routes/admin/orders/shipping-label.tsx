import { getShippingLabel } from '#server/orders/get-package.ts'
import labelSize from '../../../print/paper-label.css?url'
import printStyles from '../../../print/print.css?url'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import type { Route } from './+types/shipping-label'
import { PrintPage } from './PrintPage.tsx'
import { ShippingLabel } from './ShippingLabel.tsx'

export const links: Route.LinksFunction = () => [
  { rel: 'stylesheet', href: printStyles },
  { rel: 'stylesheet', href: labelSize },
]

export const loader = adminLoader('orders.read', (ctx, { params }: Route.LoaderArgs) =>
  getShippingLabel(ctx, params.id),
)

export default function ShippingLabelPage({ loaderData: label }: Route.ComponentProps) {
  const title = `Shipping label for order ${orderRef(label.orderId)}`
  return (
    <PrintPage title={title} orderId={label.orderId}>
      <ShippingLabel label={label} />
    </PrintPage>
  )
}
