import { readCart } from '#server/cart/read-cart.ts'
import type { Context } from '#server/context.ts'
import { redirect } from 'react-router'
import { flashHeader, type Flash } from '../../lib/cookies.server.ts'
import { requestContext } from '../../lib/request-context.server.ts'
import type { Route } from './+types/checkout'

/**
 * Checkout needs a signed-in customer and something in the cart; everybody else goes home and is told why (specification,
 * section 8). There is no paying yet, and whoever could is told so.
 */
export const loader = async ({ context }: Route.LoaderArgs) => {
  const { ctx, env } = context.get(requestContext)
  const flash = await flashHeader(await whyNot(ctx), env)
  return redirect('/', { headers: { 'Set-Cookie': flash } })
}

async function whyNot(ctx: Context): Promise<Flash> {
  if (!ctx.user) return { kind: 'error', title: 'Login Required' }
  const { cart } = await readCart(ctx, null)
  if (cart.count === 0) return { kind: 'error', title: 'Cart is Empty' }
  return { kind: 'info', title: 'Checkout is not open yet', text: 'Your cart is kept.' }
}
