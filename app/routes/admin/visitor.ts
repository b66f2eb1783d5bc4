import { redirect } from 'react-router'
import { contextOf } from '../../lib/request-context.server.ts'
import type { Route } from './+types/visitor'

/**
 * The back office is for admins; everybody else, signed in or not, is led home (specification, section 6). An admin whom it is
 * closed to for want of a second factor is led to where that is set up.
 */
export const loader = (args: Route.LoaderArgs) => {
  const { user } = contextOf(args)
  return redirect(user?.isAdmin && !user.mayAdminister ? '/account/security' : '/')
}
