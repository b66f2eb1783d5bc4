import { paths } from '#domain/paths.ts'
import { listLinePeople } from '#server/orders/list-line-people.ts'
import { listOrderPage } from '#server/orders/list-orders.ts'
import { NoOrders } from './NoOrders.tsx'
import { OrderRow } from './OrderCard.tsx'
import { OrderPagination } from './OrderPagination.tsx'
import { SignInPrompt } from '../../components/SignInPrompt.tsx'
import { orderReply } from '../../http/order-reply.server.ts'
import { pageLoader } from '../../http/page-loader.server.ts'
import { pageMeta } from '../../render/page-meta.ts'
import { getContext } from '../../http/request-context.server.ts'
import { readPageNumber } from '../../http/search-params.server.ts'
import { LinkButton } from '../../ui/Button.tsx'
import type { Route } from './+types/orders'
import { AccountPage } from '../accounts/AccountPage.tsx'

/**
 * Null when signed out: the page then asks the visitor to sign in (settled decisions,
 * "/orders/{id}").
 */
export const loader = pageLoader(async (args: Route.LoaderArgs) => {
  const ctx = getContext(args)
  if (!ctx.user) return null
  const { orders, page, pages } = await listOrderPage(ctx, { page: readPageNumber(args.request) })
  const people = Object.fromEntries(await listLinePeople(ctx, orders))
  return { orders: orders.map(orderReply), people, page, pages }
})

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, {
    title: 'My Orders',
    description: 'Your orders and their status.',
    noindex: true,
  })

export default function Orders({ loaderData }: Route.ComponentProps) {
  if (!loaderData) {
    return (
      <SignInPrompt
        title="My Orders"
        returnTo={paths.orders}
        actions={<LinkButton to={paths.products}>Browse Medications</LinkButton>}
      >
        <p>Sign in to see your orders and their status.</p>
      </SignInPrompt>
    )
  }
  const { orders, people, page, pages } = loaderData
  return (
    <AccountPage
      title="My Orders"
      intro="Where each order is now. Order History has the items, prices and addresses of all of them."
      action={orders.length > 0 ? <LinkButton to={paths.orderHistory}>Order History</LinkButton> : null}
    >
      {orders.length === 0 ? (
        <NoOrders />
      ) : (
        <ul className="card divide-y divide-line">
          {orders.map((order) => (
            <OrderRow key={order.id} order={order} people={people} />
          ))}
        </ul>
      )}
      <OrderPagination path={paths.orders} page={page} pages={pages} />
    </AccountPage>
  )
}
