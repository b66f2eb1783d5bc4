import type { SessionUser } from '#domain/accounts/accounts.ts'
import type { RouterContextProvider } from 'react-router'
import { redirectToSignIn } from './redirect-to-sign-in.server.ts'
import { getContext } from './request-context.server.ts'

/** The signed-in user. Redirects a visitor to the sign-in page, and from there to `returnTo`. */
export function requireSignedIn(
  args: { context: Readonly<RouterContextProvider> },
  returnTo: string,
): SessionUser {
  const { user } = getContext(args)
  if (!user) throw redirectToSignIn(returnTo)
  return user
}
