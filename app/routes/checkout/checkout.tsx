import { redirect } from 'react-router'
import { flashHeader } from '../../lib/cookies.server.ts'
import { requestContext } from '../../lib/request-context.server.ts'
import type { Route } from './+types/checkout'

/** Checkout needs a signed-in customer; a visitor goes home and is told why (specification, section 8). */
export const loader = async ({ context }: Route.LoaderArgs) => {
  const { env } = context.get(requestContext)
  const flash = await flashHeader({ kind: 'error', title: 'Login Required' }, env)
  return redirect('/', { headers: { 'Set-Cookie': flash } })
}
