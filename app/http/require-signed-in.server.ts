import type { SessionUser } from '#domain/accounts/accounts.ts'
import { paths } from '#domain/paths.ts'
import { redirectDocument, type RouterContextProvider } from 'react-router'
import { getContext } from './request-context.server.ts'

/** The signed-in user. Redirects a visitor to the sign-in page, and from there to `returnTo`. */
export function requireSignedIn(
  args: { context: Readonly<RouterContextProvider> },
  returnTo: string,
): SessionUser {
  const { user } = getContext(args)
  // A document redirect, because the target is not one of the router's pages.
  if (!user) throw redirectDocument(paths.api.loginFor(returnTo), 303)
  return user
}
