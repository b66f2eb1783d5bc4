import { redirect } from 'react-router'
import { NoOrders } from '../../components/NoOrders.tsx'
import { pageMeta } from '../../lib/page-meta.ts'
import { contextOf } from '../../lib/request-context.server.ts'
import type { Route } from './+types/order-history'

/** Needs sign-in; a visitor is led home (specification, section 2). */
export const loader = (args: Route.LoaderArgs) => {
  if (!contextOf(args).user) throw redirect('/')
  return null
}

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, { title: 'Order History', description: 'Everything you have ordered.', noindex: true })

export default function OrderHistory() {
  return <NoOrders title="Order History" />
}
