import { getPackingSlip } from '#server/orders/get-package.ts'
import { adminPaths } from '#domain/admin-paths.ts'
import { parseSheetPaper, SheetPage } from '../../../components/dispensing/SheetPage.tsx'
import printStyles from '../../../print/print.css?url'
import { orderRef } from '../../../components/orders/order-labels.ts'
import { adminLoader } from '../../../http/admin-loader.server.ts'
import type { Route } from './+types/packing-slip'
import { PackingSlip } from './PackingSlip.tsx'

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: printStyles }]

export const loader = adminLoader('orders.read', async (ctx, { params, request }: Route.LoaderArgs) => ({
  slip: await getPackingSlip(ctx, params.id),
  paper: parseSheetPaper(request),
}))

/** The packing slip, for the packer and the customer: what the package contains, without prices. */
export default function PackingSlipPage({ loaderData: { slip, paper } }: Route.ComponentProps) {
  const { orderId } = slip
  const title = `Packing slip for order ${orderRef(orderId)}`
  return (
    <SheetPage
      paper={paper}
      back={{ to: adminPaths.order(orderId), label: `Order ${orderRef(orderId)}` }}
      pathOn={(paper) => adminPaths.packingSlip(orderId, { paper })}
    >
      <title>{`${title} | Meridian`}</title>
      <h1 className="sr-only print:hidden">{title}</h1>
      <PackingSlip slip={slip} paper={paper} />
    </SheetPage>
  )
}
