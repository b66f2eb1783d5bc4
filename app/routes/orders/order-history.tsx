import { paths } from '#domain/paths.ts'
import { listLinePeople } from '#server/orders/list-line-people.ts'
import { listOrderHistory } from '#server/orders/list-orders.ts'
import { redirect } from 'react-router'
import { NoOrders } from './NoOrders.tsx'
import { OrderCard } from './OrderCard.tsx'
import { OrderPagination } from './OrderPagination.tsx'
import { orderReply } from '../../http/order-reply.server.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { getContext } from '../../http/request-context.server.ts'
import { readPageNumber } from '../../http/search-params.server.ts'
import { LinkButton } from '../../ui/Button.tsx'
import type { Route } from './+types/order-history'
import { AccountPage } from '../accounts/AccountPage.tsx'

/** Requires sign-in; a visitor is redirected home (specification, section 2). */
export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const ctx = getContext(args)
  if (!ctx.user) throw redirect('/')
  const { orders, refundedUnits, ...pagination } = await listOrderHistory(ctx, {
    page: readPageNumber(args.request),
  })
  return {
    ...pagination,
    orders: orders.map(orderReply),
    people: Object.fromEntries(await listLinePeople(ctx, orders)),
    refundedUnits: Object.fromEntries(refundedUnits),
  }
})

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, { title: 'Order History', description: 'All your orders.', noindex: true })

export default function OrderHistory({
  loaderData: { orders, people, refundedUnits, page, pages },
}: Route.ComponentProps) {
  return (
    <AccountPage
      title="Order History"
      intro="Every order in full: items, prices, address and payment. My Orders shows where each one is now."
      action={orders.length > 0 ? <LinkButton to={paths.orders}>My Orders</LinkButton> : null}
    >
      {orders.length === 0 ? (
        <NoOrders />
      ) : (
        <ul className="space-y-5">
          {orders.map((order) => (
            <li key={order.id}>
              <OrderCard order={order} people={people} refundedUnits={refundedUnits} />
            </li>
          ))}
        </ul>
      )}
      <OrderPagination path={paths.orderHistory} page={page} pages={pages} />
    </AccountPage>
  )
}
