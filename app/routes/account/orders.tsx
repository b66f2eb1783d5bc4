import { useRouteLoaderData } from 'react-router'
import { NoOrders } from '../../components/NoOrders.tsx'
import { SignInPrompt } from '../../components/SignInPrompt.tsx'
import { pageMeta } from '../../lib/page-meta.ts'
import { LinkButton } from '../../ui/Button.tsx'
import type { loader as rootLoader } from '../../root.tsx'
import type { Route } from './+types/orders'

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: 'My Orders',
    description: 'Your orders, and where each of them is.',
    noindex: true,
  })

export default function Orders() {
  const user = useRouteLoaderData<typeof rootLoader>('root')?.user
  if (user) return <NoOrders title="My Orders" />
  return (
    <SignInPrompt
      title="My Orders"
      returnTo="/orders"
      actions={<LinkButton to="/products">Browse Medications</LinkButton>}
    >
      <p>Please sign in to see your orders and where each of them is.</p>
    </SignInPrompt>
  )
}
