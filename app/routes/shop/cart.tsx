import { useRouteLoaderData } from 'react-router'
import { cartAction } from '../../lib/cart-form.server.ts'
import type { loader as rootLoader } from '../../root.tsx'
import type { Route } from './+types/cart'

export const action = (args: Route.ActionArgs) => cartAction(args)

export const meta: Route.MetaFunction = () => [{ title: 'Shopping Cart | Meridian' }]

export default function Cart({ actionData }: Route.ComponentProps) {
  const cart = useRouteLoaderData<typeof rootLoader>('root')?.cart
  return (
    <>
      <h1>Shopping Cart ({cart?.count ?? 0} items)</h1>
      {actionData && 'message' in actionData && <p role="alert">{actionData.message}</p>}
      <pre>{JSON.stringify(cart, null, 1)}</pre>
    </>
  )
}
